interface Setting {
  readonly name: string;
  readonly description: string;
  readonly source: string;
}

/** Whether the name or the meaning of a setting has every one of the words. */
export function matches(setting: Setting, words: string, isChangedOnly: boolean): boolean {
  if (isChangedOnly && setting.source === 'default') return false;
  const text = `${setting.name} ${setting.name.replaceAll('_', ' ')} ${setting.description}`.toLowerCase();
  return words
    .toLowerCase()
    .split(' ')
    .every((word) => text.includes(word));
}
