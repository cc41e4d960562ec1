// The frame around a chart: its title, tools, and the menu that saves it.
import type { ComponentChildren } from 'preact';
import { SaveMenu, type SaveProps } from './SaveMenu';

export function Chart({ title, tools, note, children, ...save }: SaveProps & {
  tools?: ComponentChildren;
  note?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="panel chart" aria-label={title}>
      <div class="tools">
        <h2>{title}</h2>
        {tools}
        <span class="grow" />
        <SaveMenu title={title} {...save} />
      </div>
      {children}
      {note && <p class="soft small">{note}</p>}
    </section>
  );
}
