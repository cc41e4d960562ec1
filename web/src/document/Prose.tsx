// Paragraphs; lines that are set in are details of the one above.

export function Prose({ paragraphs, verbatim }: { paragraphs: string[]; verbatim: boolean }) {
  if (verbatim) return <pre class="verbatim" tabIndex={0}>{paragraphs.join('\n')}</pre>;
  return <>{paragraphs.map((text) => <Paragraph text={text} />)}</>;
}

export function Paragraph({ text }: { text: string }) {
  const lines = text.split('\n');
  return (
    <p class={lines.length > 1 ? 'finding' : undefined}>
      {lines.map((line) => {
        const inset = line.length - line.trimStart().length;
        return inset > 0 ? <span class="detail" style={{ paddingLeft: Math.min(inset, 12) * 6 + 'px' }}>{line.trim()}</span> : <span class="line">{line}</span>;
      })}
    </p>
  );
}
