import type { Template } from '../../store/json/template.ts';

export type TemplateList =
  | { readonly ok: true; readonly templates: readonly Template[] }
  /** WhatsApp refused the request with this code; null: it did not answer. */
  | { readonly ok: false; readonly code: number | null };

/** Reads the templates of WhatsApp Business accounts. */
export interface TemplateSource {
  /** `isFresh`: read from WhatsApp now, not from the cache. */
  list(businessAccountId: string, token: string, isFresh: boolean): Promise<TemplateList>;
}
