// The shell around the tabs: which run, which tab, light or dark.
import { useEffect } from 'preact/hooks';
import { useApi } from './api';
import { Guard } from './components/Guard';
import { Busy, Failure } from './components/Status';
import { ThemeButton } from './components/ThemeButton';
import { openRun, usePlace } from './link';
import { tabAddress } from './router';
import { RunList } from './tabs/RunList';
import { TABS } from './tabs/tabs';
import type { RunInfo, Runs } from './types';

export function App() {
  const runs = useApi<Runs>('api/runs');
  if (runs.error) return <main><Failure text={runs.error} /></main>;
  if (!runs.data) return <main><Busy /></main>;
  if (!runs.data.runs.length) return <main><Failure text="There are no runs to show." /></main>;
  return <Shell runs={runs.data} />;
}

function Shell({ runs }: { runs: Runs }) {
  const place = usePlace();
  const chosen = runs.runs.find((run) => run.id === place.values.run) ?? runs.runs[0]!;
  const run = useApi<RunInfo>('api/run', { run: chosen.id });
  const info = run.data && run.data.id === chosen.id ? run.data : null;
  const tabs = info ? TABS.filter((tab) => tab.there(info, runs.runs.length > 1)) : TABS.slice(0, 1);
  const tab = tabs.find((one) => one.id === place.tab) ?? tabs[0]!;
  const Shown = tab.component;
  useEffect(() => { document.title = `${chosen.name} · ${tab.title} · tfprof`; }, [chosen.name, tab.title]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById('main')?.focus(); }}>Skip to the content</a>
      <header class="bar">
        <span class="brand">tfprof</span>
        {runs.runs.length > 1 ? (
          <select aria-label="Run" value={chosen.id} onChange={(event) => openRun(event.currentTarget.value)}>
            {runs.runs.map((one) => <option value={one.id}>{one.name}</option>)}
          </select>
        ) : <span class="run-name" title={chosen.path}>{chosen.name}</span>}
        <nav aria-label="Views">
          {tabs.map((one) => (
            <a href={tabAddress(place, one.id)} aria-current={one === tab ? 'page' : undefined}>{one.title}</a>
          ))}
        </nav>
        <span class="grow" />
        <ThemeButton />
      </header>
      <main id="main" tabIndex={-1}>
        <h1 class="offscreen">{chosen.name}, {tab.title}</h1>
        {run.error && !info ? <><Failure text={`${chosen.name}: ${run.error}`} />{runs.runs.length > 1 && <RunList runs={runs.runs} chosen={chosen.id} />}</> : info ? <Guard key={info.id + tab.id}><Shown run={info} runs={runs.runs} /></Guard> : <Busy text={`Loading ${chosen.name}…`} />}
      </main>
      <footer>tfprof {runs.version}</footer>
    </>
  );
}
