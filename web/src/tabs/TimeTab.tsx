// Where a figure goes: a view as flame graph and tree, with what its nodes call and are called by, and source text.
import { useEffect, useMemo } from 'preact/hooks';
import { Nothing } from '../components/Status';
import { setLinks, useLink, usePlace } from '../link';
import { formatPlace } from '../router';
import { RemoteTree } from '../tree/remote_tree';
import { ViewPanel } from '../tree/ViewPanel';
import type { RunInfo } from '../types';
import { ColumnChooser } from './ColumnChooser';
import { chosenFigures, mainFigure, recordedFigures } from './figures';
import { OptionsBar, useViewOptions } from './OptionsBar';
import { SandwichPanel } from './SandwichPanel';
import { SourcePanel } from './SourcePanel';

const VIEWS = [
  { id: 'scope', title: 'Name scopes', label: 'Nodes by name scope' },
  { id: 'op', title: 'Op types', label: 'Op types' },
  { id: 'code', title: 'Code', label: 'Lines of Python' },
  { id: 'graph', title: 'Data flow', label: 'Nodes by data flow, from outputs to inputs' },
];

export function TimeTab({ run }: { run: RunInfo }) {
  const views = VIEWS.filter((one) => run.kinds.includes(one.id));
  const place = usePlace(), [wanted] = useLink('view', views[0]?.id ?? 'scope');
  const view = views.find((one) => one.id === wanted) ?? views[0];
  if (!view) return <Nothing>This input has no views.</Nothing>;
  return (
    <>
      <nav class="subtabs" aria-label="Views of the nodes">
        {views.map((one) => {
          const { run: id, step, figure } = place.values, values: Record<string, string> = { view: one.id };
          for (const [key, value] of Object.entries({ run: id, step, figure })) if (value !== undefined) values[key] = value;
          return <a href={formatPlace({ tab: 'time', values })} aria-current={one === view ? 'true' : undefined}>{one.title}</a>;
        })}
      </nav>
      <View key={view.id} run={run} view={view.id} label={view.label} />
    </>
  );
}

function View({ run, view, label }: { run: RunInfo; view: string; label: string }) {
  const main = mainFigure(run), figures = recordedFigures(run);
  const [wanted] = useLink('figure', main), figure = figures.some((column) => column.name === wanted) ? wanted : main;
  const [columns] = useLink('columns'), [name] = useLink('name');
  const options = useViewOptions(), key = JSON.stringify(options);
  const model = useMemo(() => new RemoteTree(view, { run: run.id, ...options }, chosenFigures(run, columns, figure), figure), [run.id, view, key]);
  useEffect(() => {
    void model.start();
    return () => model.stop();
  }, [model]);
  useEffect(() => { model.setFigures(chosenFigures(run, columns, figure)); }, [model, columns, figure]);
  useEffect(() => { model.setMain(figure); }, [model, figure]);
  const sandwich = (row: number) => {
    const last = view === 'scope' ? model.label(row).split('/').pop()! : model.label(row);
    return <button type="button" onClick={() => setLinks({ name: last }, true)}>Callers and callees of {last}</button>;
  };
  return (
    <>
      <OptionsBar run={run} />
      {name && <SandwichPanel run={run} view={view} name={name} figure={figure} options={options} />}
      <ViewPanel model={model} title={label} figures={figures} main={main} tools={<ColumnChooser figures={figures} shown={chosenFigures(run, columns, figure).map((c) => c.name)} />}
                 more={(row) => (
                   <>
                     {row > 0 && view !== 'op' && <div class="tools">{sandwich(row)}</div>}
                     {model.code(row) && <SourcePanel run={run} code={model.code(row)!} />}
                   </>
                 )} />
    </>
  );
}
