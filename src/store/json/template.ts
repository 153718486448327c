/** A value that a template needs for each person. */
export interface TemplateVariable {
  /** `body_1`, `header_1`, `button_1`, `header_image`, or the placeholder's own name. */
  readonly name: string;
  readonly part: 'header' | 'body' | 'button';
  /** The placeholder in the part's text; a header's medium has none. */
  readonly placeholder: string | null;
  /** The button's position, from 0. */
  readonly button: number | null;
}

export type HeaderMedium = 'image' | 'video' | 'document';

/** A message template of a WhatsApp Business account. */
export interface Template {
  readonly name: string;
  readonly language: string;
  readonly category: string;
  /** As WhatsApp names it; only APPROVED ones are sent. */
  readonly status: string;
  readonly header: { readonly kind: 'text'; readonly text: string } | { readonly kind: HeaderMedium } | null;
  readonly body: string;
  readonly footer: string | null;
  readonly buttons: readonly { readonly kind: string; readonly text: string; readonly url: string | null }[];
  readonly variables: readonly TemplateVariable[];
  /** Placeholders have names instead of positions. */
  readonly isNamed: boolean;
  /** Why a campaign cannot send it; null: it can. */
  readonly unusable: string | null;
}
