// The head of a tree table: figures over their columns; a click sorts, a second turns the order round, a third restores it.
import type { Sorting, TreeColumn, TreeModel } from './model';

export function TreeHead({ model, columns, onSort }: { model: TreeModel; columns: TreeColumn[]; onSort: (sorting: Sorting | null) => void }) {
  const { sorting } = model;
  const turn = (key: string, first: boolean) =>
    onSort(sorting?.key !== key ? { key, up: first } : sorting.up === first ? { key, up: !first } : null);
  const sorted = (key: string) => (sorting?.key === key ? (sorting.up ? 'ascending' as const : 'descending' as const) : undefined);
  const groups: { column: TreeColumn; span: number }[] = [];
  for (const column of columns) {
    const last = groups[groups.length - 1];
    if (last && last.column.figure === column.figure) ++last.span;
    else groups.push({ column, span: 1 });
  }
  return (
    <thead>
      <tr>
        <th class="name" rowSpan={2} scope="col" aria-sort={sorted('name')}><button type="button" onClick={() => turn('name', true)}>name</button></th>
        {groups.map(({ column, span }) => (
          <th class="n group" colSpan={span} scope="colgroup" title={column.recorded ? column.heading : column.heading + ': not recorded'}>{column.heading}</th>
        ))}
        {model.texts.map((text) => (
          <th class="group" rowSpan={2} scope="col" aria-sort={sorted(text.key)}>
            {/^(type|device|shape|text)$/.test(text.key) ? text.title : <button type="button" onClick={() => turn(text.key, true)}>{text.title}</button>}
          </th>
        ))}
      </tr>
      <tr>
        {columns.map((column, k) => (
          <th class={k === 0 || columns[k - 1]!.figure !== column.figure ? 'n group' : 'n'} scope="col" aria-sort={sorted(column.key)} title={column.title}>
            <button type="button" onClick={() => turn(column.key, false)}>{column.title}</button>
          </th>
        ))}
      </tr>
    </thead>
  );
}
