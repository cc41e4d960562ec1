// Light or dark as the reader's system has it, or as the reader chose here; and colours for what canvases draw.
import { useEffect, useState } from 'preact/hooks';

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'tfprof-theme';
const listeners = new Set<() => void>();

export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';  // no storage in some frames
  }
}

export function setTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch { /* it then holds for this page alone */ }
  show(theme);
}

const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

function show(theme: Theme): void {
  document.documentElement.dataset.theme = theme === 'system' ? (systemIsDark() ? 'dark' : 'light') : theme;
  for (const listener of [...listeners]) listener();
}

export function startTheme(): void {
  show(chosenTheme());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => show(chosenTheme()));
}

export function isDark(): boolean {
  return document.documentElement.dataset.theme === 'dark';
}

// Draws again when the theme changes: canvases have no style sheets.
export function useDark(): boolean {
  const [dark, set] = useState(isDark());
  useEffect(() => {
    const listener = () => set(isDark());
    listeners.add(listener);
    return () => { listeners.delete(listener); };
  }, []);
  return dark;
}

// A colour of the style sheet, for canvases: cssColor('--ink').
export function cssColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// Twelve colours that people with any colour vision tell apart from their neighbours: they differ in lightness as well.
const LIGHT = ['#3b74c4', '#e69f00', '#1b8a6b', '#cc6699', '#7d5bbe', '#56b4e9', '#b04a1f', '#9aa82e', '#4b5f7a', '#e88f6b', '#2f9da3', '#8c7a4f'];
const DARK = ['#6ea2ee', '#f0b73c', '#3fb892', '#e08ab8', '#a98ae6', '#7cc8f5', '#dc7a4c', '#bfcc55', '#8fa3c0', '#f2ad90', '#58c3c9', '#bda978'];
// What could not be attributed, or is everything else: no colour of its own.
export const OTHER = { light: '#b8bfca', dark: '#565f6d' };

export function seriesColor(index: number, dark: boolean): string {
  const palette = dark ? DARK : LIGHT;
  return palette[index % palette.length]!;
}

export function otherColor(dark: boolean): string { return dark ? OTHER.dark : OTHER.light; }
