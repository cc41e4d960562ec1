// The menu that copies and saves a chart or a table: a details element, so that keys and screen readers know it.
import { useRef, useState } from 'preact/hooks';
import { canvasToPng, copyText, fileName, saveBlob, saveText, svgToPng, toCsv, toJson, type Value } from './save';

export interface SheetData { heads: string[]; rows: Value[][] }
export interface Picture { svg: string; width: number; height: number }

export interface SaveProps {
  title: string;
  sheet?: () => SheetData | Promise<SheetData>;  // CSV and JSON
  picture?: () => Picture;                     // SVG, and PNG made of it
  canvas?: () => HTMLCanvasElement | null;     // PNG alone, where there is no SVG
}

export function SaveMenu({ title, sheet, picture, canvas }: SaveProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [said, say] = useState('');
  const item = (name: string, action: () => unknown) => (
    <button type="button" onClick={async () => {
      try {
        await action();
        say(name + ': done');
      } catch (error) {
        say(name + ' failed: ' + (error as Error).message);
      }
      if (menu.current) menu.current.open = false;
      setTimeout(() => say(''), 3000);
    }}>{name}</button>
  );
  const copied = async (text: string) => { if (!await copyText(text)) throw new Error('the browser refused'); };
  const png = async () => {
    const shot = picture?.(), drawn = canvas?.();
    if (drawn) return saveBlob(await canvasToPng(drawn), fileName(title, 'png'));
    if (shot) saveBlob(await svgToPng(shot.svg, shot.width, shot.height), fileName(title, 'png'));
  };
  return (
    <details class="save" ref={menu} onKeyDown={(event) => { if (event.key === 'Escape') menu.current!.open = false; }}>
      <summary aria-label={'Copy or save ' + title} title="Copy or save">⤓</summary>
      <div class="save-items">
        {sheet && item('Copy as CSV', async () => { const { heads, rows } = await sheet(); return copied(toCsv(heads, rows)); })}
        {sheet && item('Copy as JSON', async () => { const { heads, rows } = await sheet(); return copied(toJson(heads, rows)); })}
        {sheet && item('Save CSV', async () => { const { heads, rows } = await sheet(); saveText(toCsv(heads, rows), fileName(title, 'csv'), 'text/csv'); })}
        {sheet && item('Save JSON', async () => { const { heads, rows } = await sheet(); saveText(toJson(heads, rows), fileName(title, 'json'), 'application/json'); })}
        {picture && item('Save SVG', () => saveText(picture().svg, fileName(title, 'svg'), 'image/svg+xml'))}
        {(picture || canvas) && item('Save PNG', png)}
      </div>
      <span class="offscreen" role="status">{said}</span>
    </details>
  );
}
