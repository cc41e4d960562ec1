// A report as people read it: blocks of facts, tables, prose and curves, in groups.
import type { ComponentChildren } from 'preact';
import { Nothing } from '../components/Status';
import type { Block, Fact, PageDocument } from '../types';
import { cellHint, cellView } from './cells';
import { Prose } from './Prose';
import { SeriesBlock } from './SeriesBlock';
import { TableBlock } from './TableBlock';

export function Messages({ document }: { document: PageDocument }) {
  const said = [...(document.warnings ?? []), ...(document.problems ?? [])].map((text) => ({ text, warning: true })).concat(document.messages ?? []);
  return (
    <>
      {said.map((one) => <div class={one.warning ? 'warning' : 'note'} role="note">{one.text}</div>)}
    </>
  );
}

export function Blocks({ blocks, level = 2 }: { blocks: Block[]; level?: number }) {
  return <>{blocks.map((block, k) => <BlockView key={k} block={block} level={level} first={k === 0} />)}</>;
}

function Heading({ level, children }: { level: number; children: ComponentChildren }) {
  return level <= 2 ? <h2>{children}</h2> : level === 3 ? <h3>{children}</h3> : <h4>{children}</h4>;
}

function BlockView({ block, level, first }: { block: Block; level: number; first: boolean }) {
  const title = block.title ?? '';
  if (block.facts && level === 2 && first && !title) return <Cards facts={block.facts} />;
  const body = <Body block={block} level={level} title={title} />;
  if (block.series) return body;  // it has its own panel and title
  if (level > 2) return <div class="block">{title && <Heading level={level}>{title}</Heading>}{body}</div>;
  return <section class="panel" aria-label={title || undefined}>{title && <Heading level={level}>{title}</Heading>}{body}</section>;
}

function Body({ block, level, title }: { block: Block; level: number; title: string }) {
  if (block.facts) return <Facts facts={block.facts} />;
  if (block.table) return <TableBlock title={title} table={block.table} />;
  if (block.prose) return <Prose paragraphs={block.prose} verbatim={block.verbatim ?? false} />;
  if (block.series) return <SeriesBlock title={title} series={block.series} />;
  if (block.group) return <div class={block.beside ? 'columns' : undefined}><Blocks blocks={block.group} level={level + 1} /></div>;
  return <Nothing>{block.none}</Nothing>;
}

// The first facts of a report are what it is about: they stand in cards.
function Cards({ facts }: { facts: Fact[] }) {
  return (
    <div class="cards">
      {facts.map((fact) => (
        <div class="card" title={cellHint(fact.value)}>
          <div class="label">{fact.title}</div>
          <div class="value">{cellView(fact.value)}</div>
          {fact.note && <div class="note">{fact.note}</div>}
        </div>
      ))}
    </div>
  );
}

function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl class="facts">
      {facts.map((fact) => (
        <>
          <dt>{fact.title}</dt>
          <dd title={cellHint(fact.value)}>{cellView(fact.value)}{fact.note && <span class="soft"> {fact.note}</span>}</dd>
        </>
      ))}
    </dl>
  );
}
