// A report of a kind, as the server makes it for this page, and as files.
import { address, type Query, useApi } from '../api';
import { Shown } from '../components/Status';
import { Blocks, Messages } from '../document/Document';
import type { PageDocument, RunInfo } from '../types';

const FORMATS = ['json', 'csv', 'markdown', 'html', 'text'];

export function ReportView({ run, kind, options = {} }: { run: RunInfo; kind: string; options?: Query }) {
  const answer = useApi<PageDocument>('api/report/' + kind, { run: run.id, ...options, format: 'page' });
  return (
    <Shown answer={answer}>
      {(document) => (
        <>
          <div class="page-head">
            <h2 class="title">{document.title}</h2>
            <p class="soft small">Save the report: {FORMATS.map((format, k) => (
              <>{k > 0 && ' · '}<a href={address('api/report/' + kind, { run: run.id, ...options, format, download: `tfprof_${kind}.${format === 'markdown' ? 'md' : format === 'text' ? 'txt' : format}` })}>{format}</a></>
            ))}</p>
          </div>
          <Messages document={document} />
          <Blocks blocks={document.blocks} />
        </>
      )}
    </Shown>
  );
}
