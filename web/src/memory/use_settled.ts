// A value once it has not changed for a while: what is typed or dragged asks the server only at the end.
import { useEffect, useState } from 'preact/hooks';

export function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
