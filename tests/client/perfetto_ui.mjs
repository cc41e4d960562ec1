// A trace in Perfetto's own page: what its trace processor found. FOLDER: the one with Perfetto's index.html.
import fs from 'fs';
import http from 'http';
import path from 'path';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
                '.json': 'application/json' };

export async function trace(browser, { folder, file: trace }) {
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(request.url.split('?')[0]);
    const file = name.startsWith('/trace/') ? trace : path.join(folder, name === '/' ? 'index.html' : name);
    fs.readFile(file, (error, data) => {
      response.writeHead(error ? 404 : 200, { 'content-type': types[path.extname(file)] || 'application/octet-stream',
                                              'access-control-allow-origin': '*' });
      response.end(error ? '' : data);
    });
  });
  // The port that Perfetto's content policy lets it fetch traces from; another test may have it.
  await new Promise((done) => {
    server.on('error', () => setTimeout(() => server.listen(9001, '127.0.0.1'), 200));
    server.listen(9001, '127.0.0.1', done);
  });

  const page = await browser.newPage();
  try {
    const base = 'http://127.0.0.1:9001';
    await page.goto(`${base}/#!/?url=${encodeURIComponent(base + '/trace/' + path.basename(trace))}`);
    await page.waitForFunction(() => window.app?.trace?.engine, null, { timeout: 90000 });
    return await page.evaluate(async () => {
      const query = async (sql) => {
        const result = await window.app.trace.engine.query(sql);
        const columns = result.columns();
        const rows = [];
        for (const it = result.iter({}); it.valid(); it.next()) {
          rows.push(Object.fromEntries(columns.map((c) => [c, String(it.get(c))])));
        }
        return rows;
      };
      return {
        errors: await query("select name, value from stats where value > 0 and severity in ('error', 'data_loss')"),
        durations: await query(`select process.name as process, count(*) as slices, sum(slice.dur) as nanos
            from slice join thread_track on slice.track_id = thread_track.id join thread using (utid)
            join process using (upid) group by process.name`),
        flows: await query('select count(*) as n from flow'),
        counters: await query('select count(*) as n from counter') };
    });
  } finally {
    await page.close();
    server.close();
    server.closeAllConnections();
  }
}
