"""Random options: every option that TensorFlow's ProfileOptionBuilder sets."""
FIGURES = ('bytes', 'peak_bytes', 'residual_bytes', 'output_bytes', 'micros', 'accelerator_micros', 'cpu_micros', 'params',
           'float_ops')
COLUMNS = FIGURES + ('device', 'op_types', 'occurrence', 'input_shapes')
VIEWS = ('scope', 'graph', 'op', 'code')
CHECKERS = ('AcceleratorUtilizationChecker', 'ExpensiveOperationChecker', 'OperationChecker')
PLAIN = {'max_depth': 10, 'min_bytes': 0, 'min_peak_bytes': 0, 'min_residual_bytes': 0, 'min_output_bytes': 0,
         'min_micros': 0, 'min_accelerator_micros': 0, 'min_cpu_micros': 0, 'min_params': 0, 'min_float_ops': 0,
         'min_occurrence': 0, 'order_by': 'name', 'account_type_regexes': ['.*'], 'start_name_regexes': ['.*'],
         'trim_name_regexes': [], 'show_name_regexes': ['.*'], 'hide_name_regexes': [],
         'account_displayed_op_only': False, 'select': ['micros'], 'step': -1, 'output': 'stdout'}
# What a name may hold that a regex reads otherwise.
QUOTED = {ord(char): '.' for char in '+*?()[]{}|\\^$,'}


def words_of(case):
    """Names that regexes are made of: nodes, op types, frames."""
    names = [node.name for node in case.graph.node] + [node.op for node in case.graph.node]
    if case.op_log:
        names += [text.rpartition('/')[2] for text in case.op_log.id_to_string.values()]
    return [name.translate(QUOTED) for name in names if name] or ['a']


def pattern(rng, words):
    name = rng.choice(words)
    return rng.choice(('.*', name, name, '.*%s.*' % name.split('/')[-1], name.split('/')[0] + '.*', '.*_grad.*', 'a|b.*',
                       '.*:.*', '[A-M].*'))


def account(rng, words):
    return rng.choice((['.*'], ['.*'], ['.*'], ['.*'], ['_trainable_variables'], ['MatMul', 'Conv2D.*'], ['.*cpu.*'],
                       ['.*gpu.*'], ['VariableV2', 'VarHandleOp'], [pattern(rng, words)], ['mine', '[A-Z].*'],
                       ['.*', 'MatMul'], ['_kTFScopeParent'], []))


def output(rng, view):
    if rng.random() < .5:
        return 'stdout'
    fitting = {'op': ('file',), 'code': ('file', 'timeline', 'pprof', 'pprof')}.get(view, ('file', 'timeline'))
    return rng.choice(('none', 'file', 'timeline', 'pprof') if rng.random() < .04 else ('none', *fitting))


def options(rng, case, view):
    """The options of one report."""
    words = words_of(case)
    out = {**PLAIN, 'max_depth': rng.choice((0, 1, 2, 3, 4, 5, 10, 10, 90, 90)),
           'order_by': rng.choice(('name', 'name', *FIGURES, 'occurrence', 'depth') if rng.random() < .2 else
                                  ('name', 'name', *FIGURES)),
           'account_type_regexes': account(rng, words),
           'select': sorted(rng.sample(COLUMNS, rng.choice((1, 2, 3, 4, 13)))),
           'account_displayed_op_only': rng.random() < .4,
           'step': rng.choice([-1, -1, *(step for step, _ in case.steps)])}
    if rng.random() < .01:
        out['step'] = 77  # nobody added it
    if rng.random() < .25:
        out['start_name_regexes'] = [pattern(rng, words) for _ in range(rng.choice((0, 1, 1, 1, 2)))]
    if rng.random() < .3:
        out['show_name_regexes'] = [pattern(rng, words) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
    if rng.random() < .3:
        out['hide_name_regexes'] = [pattern(rng, words) for _ in range(rng.choice((1, 1, 2)))]
    if rng.random() < .25:
        out['trim_name_regexes'] = [pattern(rng, words) for _ in range(rng.choice((1, 1, 2)))]
    for name in FIGURES + ('occurrence',):
        if rng.random() < .08:
            out['min_' + name] = rng.choice((1, 1, 2, 10, 1000, 100000, -1))
    out['output'] = output(rng, view)
    if out['output'] == 'pprof' and view == 'code':
        out['select'] = [rng.choice(FIGURES)]
    return out
