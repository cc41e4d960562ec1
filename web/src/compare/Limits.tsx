// Limits that a comparison keeps or breaks, as CI would have them: edited here, said at once.
import { useState } from 'preact/hooks';
import type { Comparison } from '../types';

export function LimitsEditor({ limits, error, onChange }: { limits: string[]; error: string; onChange: (limits: string[]) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? limits.join('\n');
  const apply = () => { onChange(text.split('\n').map((one) => one.trim()).filter(Boolean)); setTyped(null); };
  return (
    <form onSubmit={(event) => { event.preventDefault(); apply(); }}>
      <label class="limits">Limits, one on a line
        <textarea rows={Math.max(2, text.split('\n').length)} spellcheck={false} value={text} aria-invalid={Boolean(error)} placeholder={'micros>+5%\nbytes>+0\nmicros>+10%@gradients/.*'}
                  onInput={(event) => setTyped(event.currentTarget.value)}
                  onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) apply(); }} />
      </label>
      <div class="tools">
        <button type="submit">Check the limits</button>
        {limits.length > 0 && <span class="soft small code wrap">tfprof diff … {limits.map((one) => `--fail_if '${one}'`).join(' ')}</span>}
      </div>
    </form>
  );
}

export function LimitOutcomes({ comparison, broken }: { comparison: Comparison; broken: boolean }) {
  if (!comparison.limits?.length) return null;
  return (
    <section class="panel" aria-label="Limits">
      <h2>Limits <span class={broken ? 'badge bad' : 'badge'}>{broken ? 'broken: exit status 1' : 'all hold'}</span></h2>
      {comparison.limits.map((limit) => (
        <div class="block">
          <b class="code">{limit.text}</b> {limit.broken_by.length ? <span class="badge bad">broken by {limit.broken_by.length}</span> : <span class="badge">holds</span>}
          <span class="soft small"> {limit.checked} checked</span>
          {limit.broken_by.length > 0 && <ul>{limit.broken_by.slice(0, 20).map((text) => <li class="wrap">{text}</li>)}</ul>}
          {limit.broken_by.length > 20 && <p class="soft small">and {limit.broken_by.length - 20} more</p>}
        </div>
      ))}
    </section>
  );
}
