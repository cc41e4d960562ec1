// Source text around a line, where it was recorded or the file may be read.
import { useState } from 'preact/hooks';
import { useApi } from '../api';
import type { CodeLine } from '../tree/model';
import type { RunInfo, SourceText } from '../types';

// Where nothing is known to be readable, it is asked for on demand: a refusal is no news.
export function SourcePanel({ run, code }: { run: RunInfo; code: CodeLine }) {
  const [wanted, want] = useState(run.source ?? false);
  const answer = useApi<SourceText>(wanted ? 'api/source' : null, { run: run.id, file: code.file, line: code.line });
  const lines = answer.data && answer.data.file === code.file ? answer.data : code.text ? { first: code.line, lines: [code.text], from: 'recorded' } : null;
  return (
    <div>
      <p class="small code wrap">{code.file}:{code.line}{code.function ? ' in ' + code.function : ''}</p>
      {lines && (
        <div class="source code" tabIndex={0} role="region" aria-label={'Source of ' + code.file}>
          <ol>{lines.lines.map((text, k) => <li class={lines.first + k === code.line ? 'here' : ''}><span>{lines.first + k}</span>{text}</li>)}</ol>
        </div>
      )}
      {!wanted && <button type="button" onClick={() => want(true)}>Show the source</button>}
      {!lines && answer.error && <p class="soft small">{answer.error}</p>}
    </div>
  );
}
