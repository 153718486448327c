/** Texts of a language by the English text; `{name}` stands for a value. */
export type Catalogue = Readonly<Record<string, string>>;
