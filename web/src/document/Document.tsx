// A report as people read it: blocks of facts, tables, prose and curves, in groups.
import type { ComponentChildren } from 'preact';
import { Nothing } from '../components/Status';
import type { Block, Fact, PageDocument } from '../types';
import { cellHint, cellView, isNumber } from './cells';
import { Prose } from './Prose';
import { SeriesBlock } from './SeriesBlock';
import { TableBlock } from './TableBlock';

export function Messages({ document }: { document: PageDocument }) {
  // Which files were read is listed elsewhere.
  const told = (document.messages ?? []).filter((one) => one.warning || !one.text.startsWith('reading '));
  const said = [...(document.warnings ?? []), ...(document.problems ?? [])].map((text) => ({ text, warning: true })).concat(told);
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
  if (block.group && !block.group.length) return null;
  if (block.facts && level === 2 && (first || title) && areFigures(block.facts)) return <>{title && <h2 class="over-cards">{title}</h2>}<Cards facts={block.facts} /></>;
  if (block.group && !title && !block.beside) return <Blocks blocks={block.group} level={level} />;
  if (level === 2 && block.prose && !title && !block.verbatim) return <Prose paragraphs={block.prose} verbatim={false} />;
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
  if (block.group) return <div class={block.beside ? 'columns' : undefined}><Blocks blocks={block.group} level={title ? level + 1 : Math.max(level, 3)} /></div>;
  return <Nothing>{block.none}</Nothing>;
}

// Figures stand in cards; facts that are words read better as a list.
const areFigures = (facts: Fact[]) => facts.length > 1 && facts.every((fact) => fact.value === null || isNumber(fact.value));

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
          <dd title={cellHint(fact.value)}>{cellView(fact.value)}{fact.note && <span class="soft">{/^[,;.)]/.test(fact.note) ? '' : ' '}{fact.note}</span>}</dd>
        </>
      ))}
    </dl>
  );
}
