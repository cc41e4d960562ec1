// Two or more runs or steps: what got larger or slower.
import { address, useApi } from '../api';
import { ComparePanels } from '../compare/ComparePanels';
import { LimitOutcomes, LimitsEditor } from '../compare/Limits';
import { SideChooser } from '../compare/SideChooser';
import { firstSides, formatSides, parseSides, sideQuery } from '../compare/sides';
import { Busy, Failure, Nothing } from '../components/Status';
import { setLinks, useLink } from '../link';
import type { PageDocument, RunEntry, RunInfo } from '../types';
import { ColumnChooser } from './ColumnChooser';
import { chosenFigures, mainFigure, recordedFigures } from './figures';

const VIEWS = [['scope', 'name scopes'], ['op', 'op types'], ['code', 'lines of code'], ['graph', 'data flow']] as const;
const FRESH = { zoom: null, at: null };

export function CompareTab({ run, runs }: { run: RunInfo; runs: RunEntry[] }) {
  const [text] = useLink('sides'), [view] = useLink('view', 'scope'), [columns] = useLink('columns'), [limitText] = useLink('limits');
  const sides = text ? parseSides(text) : firstSides(run, runs), limits = limitText.split('\n').filter(Boolean);
  const figures = chosenFigures(run, columns, mainFigure(run), 2).map((column) => column.name);
  const query = { run: sides.map(sideQuery), view, select: figures.join(','), fail_if: limits, delta: 0, min_size: '0B' };
  // Steps of one run can always be compared; which runs belong together is the reader's to say.
  const ready = sides.length > 1 && (text !== '' || run.steps.length > 1);
  const answer = useApi<PageDocument>(ready ? 'api/report/diff' : null, { ...query, format: 'page' });
  const compared = answer.data?.view?.comparison ? answer.data : null;
  return (
    <>
      <section class="panel" aria-label="What is compared">
        <div class="tools"><h2>Compare</h2><span class="soft small">differences are the last less the first: growth is positive</span></div>
        <div class="columns">
          <div>
            <SideChooser sides={sides} runs={runs} onChange={(next) => setLinks({ sides: formatSides(next), ...FRESH }, true)} />
            <div class="tools">
              <label>rows are <select value={view} onChange={(event) => setLinks({ view: event.currentTarget.value, ...FRESH }, true)}>
                {VIEWS.filter(([id]) => run.kinds.includes(id)).map(([id, title]) => <option value={id}>{title}</option>)}
              </select></label>
              <ColumnChooser figures={recordedFigures(run)} shown={figures} />
            </div>
          </div>
          <LimitsEditor limits={limits} error={answer.error} onChange={(next) => setLinks({ limits: next.join('\n') }, true)} />
        </div>
        {compared && (
          <p class="soft small">Save the comparison: {['json', 'csv', 'markdown', 'html'].map((format, k) => (
            <>{k > 0 && ' · '}<a href={address('api/report/diff', { ...query, format, download: `tfprof_diff.${format === 'markdown' ? 'md' : format}` })}>{format}</a></>
          ))}</p>
        )}
      </section>
      {!ready && (sides.length > 1 ? <button type="button" onClick={() => setLinks({ sides: formatSides(sides) }, true)}>Compare these</button>
        : <Nothing>There is one run with one step: nothing to compare it with.</Nothing>)}
      {answer.error && <Failure text={answer.error} />}
      {answer.loading && !compared && <Busy text="Comparing…" />}
      {compared && (
        <div class={answer.loading ? 'stale' : undefined} aria-busy={answer.loading}>
          {[...(compared.warnings ?? []), ...(compared.messages ?? []).filter((one) => one.warning).map((one) => one.text)].map((one) => <div class="warning" role="note">{one}</div>)}
          <LimitOutcomes comparison={compared.view!.comparison!} broken={compared.broken ?? false} />
          <ComparePanels view={compared.view!} title="Differences" />
        </div>
      )}
    </>
  );
}
