// What a request is at: under way, failed, or nothing to show.
import type { ComponentChildren } from 'preact';

export function Busy({ text = 'Loading…' }: { text?: string }) {
  return <p class="busy" role="status">{text}</p>;
}

export function Failure({ text }: { text: string }) {
  return <div class="failure" role="alert">{text}</div>;
}

export function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="soft">{children}</p>;
}

// Draws what an answer holds, or what became of it.
export function Shown<T>({ answer, children }: {
  answer: { data: T | null; error: string; loading: boolean };
  children: (data: T) => ComponentChildren;
}) {
  if (answer.error) return <Failure text={answer.error} />;
  if (answer.data === null) return answer.loading ? <Busy /> : null;
  return <div class={answer.loading ? 'stale' : undefined} aria-busy={answer.loading}>{children(answer.data)}</div>;
}
