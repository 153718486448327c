import { recogniserCode } from '../recogniser-languages.ts';
import type { VendorSettings } from '../catalogue.ts';
import type { Language } from '@callwright/language';
import type { SttOptions } from '../../providers/ports/recogniser.ts';
import type { SttDialect, SttVendor } from '../../providers/stt/dialect.ts';
import { fluxDialect } from './flux.ts';
import { novaDialect } from './nova.ts';

/** Languages that Flux and Nova-3 recognise mixed. */
const MULTI = new Set(['en', 'hi']);
const base = (language: Language): string => language.slice(0, 2);

/** Deepgram: Flux where it has the language, else Nova-3; DEEPGRAM_MODEL fixes the model. */
export function deepgramStt(settings: VendorSettings): SttVendor {
  return {
    name: 'deepgram',
    understands: (language) => modelFor(settings.model, language, null) !== null,
    connect(options) {
      const { language, secondaryLanguage } = options;
      const chosen =
        modelFor(settings.model, language, secondaryLanguage) ??
        // The secondary language alone is understood.
        modelFor(settings.model, secondaryLanguage ?? language, null);
      return dialectOf(chosen ?? { model: 'nova-3', languages: ['multi'] }, options, settings);
    },
  };
}

interface Chosen {
  readonly model: string;
  /** Flux: hints of the multilingual model. Nova-3: the one language, or `multi`. */
  readonly languages: readonly string[];
}

/** The model for a conversation; null: the model of the settings does not have the language. */
function modelFor(model: string | null, language: Language, secondary: Language | null): Chosen | null {
  const spoken = [...new Set([base(language), ...(secondary === null ? [] : [base(secondary)])])];
  const isMixed = spoken.length > 1 && spoken.every((one) => MULTI.has(one));
  if (model === null) {
    if (base(language) === 'en' && !isMixed) return { model: 'flux-general-en', languages: [] };
    if (base(language) === 'hi' || isMixed)
      return { model: 'flux-general-multi', languages: spoken.filter((one) => MULTI.has(one)) };
  }
  const code = recogniserCode('deepgram', model, language);
  if (code === null) return null;
  if (model?.startsWith('flux') === true) {
    return { model, languages: model.endsWith('-en') ? [] : spoken.filter((one) => MULTI.has(one)) };
  }
  return { model: model ?? 'nova-3', languages: [isMixed ? 'multi' : code] };
}

function dialectOf(
  { model, languages }: Chosen,
  options: Omit<SttOptions, 'onEvent'>,
  settings: VendorSettings,
): SttDialect {
  return model.startsWith('flux')
    ? fluxDialect(settings, model, languages, options)
    : novaDialect(settings, model, languages[0] ?? 'en', options);
}
