// Which names a search means: those that have all the words, or match /a regular expression/, in any case.

export function matcher(words: string): ((name: string) => boolean) | null {
  const text = words.trim();
  if (!text) return null;
  const pattern = /^\/(.+)\/$/.exec(text);
  if (pattern) {
    try {
      const expression = new RegExp(pattern[1]!, 'i');
      return (name) => expression.test(name);
    } catch {
      return () => false;      // half typed
    }
  }
  const parts = text.toLowerCase().split(/\s+/);
  return (name) => {
    const low = name.toLowerCase();
    return parts.every((part) => low.includes(part));
  };
}
