// A page that carries its own report: a single file of -format html. It asks nobody and needs no server.
import { useEffect, useMemo } from 'preact/hooks';
import { ComparePanels } from './compare/ComparePanels';
import { LimitOutcomes } from './compare/Limits';
import { ThemeButton } from './components/ThemeButton';
import { Blocks, Messages } from './document/Document';
import { grouped } from './format';
import { LocalTree } from './tree/local_tree';
import { ViewPanel } from './tree/ViewPanel';
import type { Block, PageDocument, ViewData } from './types';

// The rows of a view are in the tree: a table of them among the blocks would say it twice.
const besideView = (blocks: Block[]) => blocks.filter((block) => !(block.table && !block.title) && block.title !== 'Limits');

export function StaticPage({ document: page }: { document: PageDocument }) {
  useEffect(() => { document.title = page.title + ' · tfprof'; }, [page.title]);
  const files = (page.inputs ?? []).map((input) => input.path);
  return (
    <>
      <header class="bar"><span class="brand">tfprof</span><span class="grow" /><ThemeButton /></header>
      <main id="main">
        <div class="page-head">
          <h1>{page.title}</h1>
          {files.length > 0 && <p class="soft small">{files.join(', ')}</p>}
        </div>
        <Messages document={page} />
        {page.view?.comparison && <LimitOutcomes comparison={page.view.comparison} broken={page.view.comparison.limits?.some((limit) => limit.broken_by.length > 0) ?? false} />}
        <Blocks blocks={page.view ? besideView(page.blocks) : page.blocks} />
        {page.view && (page.view.comparison ? <ComparePanels view={page.view} title="Differences" /> : <View view={page.view} title={page.title} />)}
        <About page={page} />
      </main>
      <footer>written by {page.tool ?? 'tfprof'}</footer>
    </>
  );
}

function View({ view, title }: { view: ViewData; title: string }) {
  const model = useMemo(() => new LocalTree(view), [view]);
  return <ViewPanel model={model} title={title} figures={view.columns} main={view.columns[view.main]?.name ?? ''} />;
}

// What was asked for beside the defaults, and how much of the graph the figures cover.
function About({ page }: { page: PageDocument }) {
  const options = Object.entries(page.options ?? {}), coverage = Object.entries(page.coverage ?? {});
  if (!options.length && !coverage.length) return null;
  return (
    <details class="about">
      <summary>Options and coverage</summary>
      <dl class="facts">
        {options.map(([name, value]) => <><dt class="code">-{name}</dt><dd class="code">{value}</dd></>)}
        {coverage.map(([name, value]) => <><dt>{name.replace(/_/g, ' ')}</dt><dd>{grouped(value)}</dd></>)}
      </dl>
    </details>
  );
}
