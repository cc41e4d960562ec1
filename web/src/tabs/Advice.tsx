// What to do about it: each finding with links to the places it speaks of.
import { useApi } from '../api';
import { Shown } from '../components/Status';
import { Messages } from '../document/Document';
import { usePlace } from '../link';
import { tabAddress } from '../router';
import type { Block, PageDocument, RunInfo } from '../types';
import { CHECKER_TABS, pieces } from './advice_links';
import { TABS } from './tabs';

interface Finding { title: string; paragraphs: string[] }

// Blocks of checkers, whatever groups they are in.
function findings(blocks: Block[]): Finding[] {
  return blocks.flatMap((block): Finding[] => {
    if (!block.title) return findings(block.group ?? []);
    const inner = block.group ?? [block];
    return [{ title: block.title.replace(/:$/, ''), paragraphs: inner.flatMap((one) => one.prose ?? (one.none ? [one.none] : [])) }];
  });
}

const isQuiet = ({ paragraphs }: Finding) => paragraphs.every((text) => /^(not checked|nothing found)/.test(text));
const readable = (checker: string) => checker.replace(/Checker$/, '').replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => a + ' ' + b.toLowerCase());

export function Advice({ run, brief = false }: { run: RunInfo; brief?: boolean }) {
  const answer = useApi<PageDocument>('api/report/advise', { run: run.id, format: 'page' });
  return (
    <Shown answer={answer}>
      {(document) => {
        const all = findings(document.blocks), loud = all.filter((one) => !isQuiet(one)), quiet = all.filter(isQuiet);
        return (
          <section class="panel" aria-label="Advice">
            <h2>Advice <span class="badge">{loud.length} of {all.length} checks found something</span></h2>
            {!brief && <Messages document={document} />}
            {loud.map((one) => <FindingView run={run} finding={one} />)}
            {quiet.length > 0 && (
              <details class="about" open={!brief && !loud.length}>
                <summary>{quiet.length} checks found nothing, or had nothing to check</summary>
                <dl class="facts">{quiet.map((one) => <><dt>{readable(one.title)}</dt><dd>{one.paragraphs.join(' ') || 'nothing found'}</dd></>)}</dl>
              </details>
            )}
          </section>
        );
      }}
    </Shown>
  );
}

function FindingView({ run, finding }: { run: RunInfo; finding: Finding }) {
  const place = usePlace(), where = CHECKER_TABS[finding.title], there = where && TABS.find((tab) => tab.id === where.tab)?.there(run);
  return (
    <div class="block">
      <h3 title={finding.title}>{readable(finding.title)} {there && <a href={tabAddress(place, where.tab, where.values)}>see {where.title}</a>}</h3>
      {finding.paragraphs.map((text) => (
        <p class="finding">
          {text.split('\n').map((line) => (
            <span class={/^\s/.test(line) ? 'detail' : 'line'}>
              {pieces(line.trim()).map((piece) => (piece.link ? <a href={tabAddress(place, piece.link.tab, piece.link.values)}>{piece.text}</a> : piece.text))}
            </span>
          ))}
        </p>
      ))}
    </div>
  );
}
