// A view as flame graph and tree table, tied together: what is chosen in one is chosen in the other. Figure, zoom,
// filter, order and choice are in the address.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { FlamePanel } from '../flame/FlamePanel';
import { SaveMenu } from '../components/SaveMenu';
import { Failure } from '../components/Status';
import { useLink, useLinkNumber } from '../link';
import type { Column } from '../types';
import { type Sorting, type TreeModel, useModel } from './model';
import { RowDetails } from './RowDetails';
import { treeSheet } from './sheet';
import { TreeTable } from './TreeTable';

interface Props {
  model: TreeModel;
  title: string;
  figures: Column[];
  main: string;                                    // the figure shown first
  tools?: ComponentChildren;
  flameTools?: ComponentChildren;
  more?: (row: number) => ComponentChildren;       // beside the details of the chosen row
}

const parseSort = (text: string): Sorting | null => {
  const cut = text.lastIndexOf(':');
  return cut < 0 ? null : { key: text.slice(0, cut), up: text.slice(cut + 1) === 'up' };
};

export function ViewPanel({ model, title, figures, main, tools, flameTools, more }: Props) {
  useModel(model);
  const [wanted, setFigure] = useLink('figure', main), figure = figures.some((column) => column.name === wanted) ? wanted : main;
  const [words, setWords] = useLink('q'), [sort, setSort] = useLink('sort');
  const [flat, setFlat] = useLink('flat'), [zoom, setZoom] = useLinkNumber('zoom', 0), [chosen, setChosen] = useLinkNumber('at', -1);
  const filterBox = useRef<HTMLInputElement>(null);
  const valid = useMemo(() => model.filter(words), [model, words]);
  useMemo(() => { model.sort(parseSort(sort)); }, [model, sort]);
  useMemo(() => { if (model.flat !== (flat === '1')) model.setFlat(flat === '1'); }, [model, flat]);
  useEffect(() => { if (chosen >= 0) void model.reveal(chosen).catch(() => undefined); }, [model]);
  useEffect(() => {
    const slash = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || /INPUT|SELECT|TEXTAREA/.test((event.target as HTMLElement).tagName)) return;
      event.preventDefault();
      filterBox.current?.focus();
    };
    addEventListener('keydown', slash);
    return () => removeEventListener('keydown', slash);
  }, []);

  const shown = model.visible().length, count = (n: number) => n.toLocaleString('en');
  const zoomTo = (row: number) => setZoom(row, true);
  return (
    <>
      {figures.length > 0 && (
        <FlamePanel model={model} title={title} figures={figures} figure={figure} setFigure={(name) => setFigure(name)} zoom={zoom} onZoom={zoomTo}
                    words={words} chosen={chosen} tools={flameTools}
                    onChoose={(row) => { setChosen(row); void model.reveal(row).catch(() => undefined); }} />
      )}
      <section class="panel" aria-label={title + ', table'}>
        <div class="tools">
          <h2>{model.folds ? 'Tree' : 'Rows'}</h2>
          <input type="search" ref={filterBox} aria-label="Filter rows" placeholder="Filter: words or /regex/" title="Words, or /a regular expression/; the key / leads here" value={words}
                 aria-invalid={!valid} onInput={(event) => setWords(event.currentTarget.value)} />
          {model.folds && model.canOpenAll() && <button type="button" onClick={() => model.openAll(true)}>Unfold all</button>}
          {model.folds && <button type="button" onClick={() => model.openAll(false)}>Fold all</button>}
          {model.folds && (
            <button type="button" aria-pressed={flat === '1'} title="All rows in one list, without the tree" onClick={() => setFlat(flat === '1' ? '' : '1')}>Flat</button>
          )}
          {tools}
          <span class="grow" />
          <span class="soft small" role="status">
            {model.matches !== null ? `${count(model.matches)} of ${count(model.rowsInAll)} rows match` : `${count(shown)} of ${count(Math.max(shown, model.rowsInAll))} rows shown`}
          </span>
          <SaveMenu title={title} sheet={() => treeSheet(model)} />
        </div>
        {model.error && <Failure text={model.error} />}
        <TreeTable model={model} label={title} chosen={chosen} onChoose={(row) => setChosen(row)} onZoom={zoomTo}
                   onSort={(sorting) => setSort(sorting ? `${sorting.key}:${sorting.up ? 'up' : 'down'}` : '')} />
        {chosen >= 0 && model.name(chosen) && <RowDetails model={model} row={chosen} onZoom={zoomTo} onClose={() => setChosen(-1)}>{more?.(chosen)}</RowDetails>}
      </section>
    </>
  );
}
