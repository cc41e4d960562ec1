// The layers by name, with what each held at the moment looked at. A click makes one of them stand out.
import { momentLabel } from '../draw/label';
import { middle, exact, readable, shareOf } from '../format';
import { useDark } from '../theme';
import { layerLabel, type ColorBook } from './names';
import { legendMoment, stacked, valuesAt } from './stack';
import { NOT_ATTRIBUTED, type LayersAnswer } from './types';

export function Legend({ answer, book, at, shown, onShow }: {
  answer: LayersAnswer;
  book: ColorBook;
  at: number | null;         // the moment looked at
  shown: string;
  onShow: (name: string) => void;
}) {
  const dark = useDark();
  const layers = stacked(answer.layers).reverse();
  const colors = book.colors(layers, dark);
  const moment = legendMoment(answer, at), values = valuesAt(answer, layers, moment);
  const total = values.reduce<number>((sum, value) => sum + Number(value ?? 0), 0);
  return (
    <>
      <p class="soft small layer-moment">Layers at {momentLabel(moment, answer.to - answer.from)}: {readable('bytes', total)} in all. A click makes one stand out.</p>
      <ul class="layer-list" aria-label="Layers">
        {layers.map((layer, k) => (
          <li key={layer.name}>
            <button type="button" aria-pressed={shown === layer.name} title={`${layer.name}\n${exact('bytes', values[k] ?? null)}`}
                    onClick={() => onShow(shown === layer.name ? '' : layer.name)}>
              <i class={layer.name === NOT_ATTRIBUTED ? 'swatch hatched' : 'swatch'} style={layer.name === NOT_ATTRIBUTED ? undefined : { background: colors[k] }} />
              <span class="legend-name">{middle(layerLabel(layer.name, answer.by), 44)}</span>
              <span class="legend-value">{readable('bytes', values[k] ?? null)}</span>
              <span class="legend-share">{shareOf(values[k] ?? null, total)}</span>
            </button>
          </li>
        ))}
        {answer.measured && <li class="legend-line"><i class="swatch dashed" /> measured: bytes in use as the allocator counts them</li>}
      </ul>
    </>
  );
}
