// Light, dark, or as the system has it.
import { useState } from 'preact/hooks';
import { chosenTheme, setTheme, type Theme } from '../theme';

const NEXT: Record<Theme, Theme> = { system: 'dark', dark: 'light', light: 'system' };
const SIGN: Record<Theme, string> = { system: '◐', dark: '☾', light: '☀' };

export function ThemeButton() {
  const [theme, set] = useState<Theme>(chosenTheme());
  return (
    <button type="button" class="theme" title={`Colours: ${theme}. Click for ${NEXT[theme]}.`} aria-label={'Colours: ' + theme}
            onClick={() => { setTheme(NEXT[theme]); set(NEXT[theme]); }}>{SIGN[theme]}</button>
  );
}
