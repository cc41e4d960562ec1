// Everything about the chosen row: its whole name, every figure exactly, and what is known of it.
import type { ComponentChildren } from 'preact';
import { copyText } from '../components/save';
import { exact, shareOf, signed } from '../format';
import type { TreeModel } from './model';

export function RowDetails({ model, row, onZoom, onClose, children }: {
  model: TreeModel; row: number; onZoom: (row: number) => void; onClose: () => void; children?: ComponentChildren;
}) {
  return (
    <div class="row-details" aria-label="The chosen row" role="region">
      <div class="tools">
        <span class="full">{model.name(row)}</span>
        <span class="grow" />
        <button type="button" onClick={() => void copyText(model.name(row))}>Copy name</button>
        <button type="button" onClick={() => onZoom(row)}>Zoom</button>
        <button type="button" aria-label="Close the details" onClick={onClose}>×</button>
      </div>
      <div class="columns">
        <dl>
          {model.columns.map((column) => {
            const raw = column.value(row);
            return (
              <>
                <dt>{column.heading}, {column.title}</dt>
                <dd>
                  {raw === null ? <span class="missing">not recorded</span> : column.signed && Number(raw) > 0 ? '+' + exact(column.unit, raw) : exact(column.unit, raw)}
                  {raw !== null && column.whole && !column.signed && <span class="soft"> {shareOf(raw, column.whole())}</span>}
                  {raw !== null && column.signed && <span class="soft"> {signed(column.unit, raw)}</span>}
                </dd>
              </>
            );
          })}
        </dl>
        <dl>
          {model.texts.map((text) => text.value(row) && <><dt>{text.title}</dt><dd>{text.value(row)}</dd></>)}
          {model.details(row).filter((one) => !model.texts.some((text) => text.title === one.title)).map((one) => <><dt>{one.title}</dt><dd>{one.text}</dd></>)}
        </dl>
      </div>
      {children}
    </div>
  );
}
