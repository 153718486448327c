import { describe, expect, it } from 'vitest';
import type { Language } from './languages.ts';
import { languageOf } from './language-of.ts';

describe('the language of a text', () => {
  it.each<[string, Language, Language, Language]>([
    ['Can you tell me the price?', 'hi-IN', 'en-IN', 'en-IN'],
    ['मेरा order number क्या है', 'en-IN', 'hi-IN', 'hi-IN'],
    ['haan theek hai, kal baat karte hain', 'en-IN', 'hi-IN', 'hi-IN'],
    ['haan ji', 'hi-IN', 'en-US', 'hi-IN'],
    ['yes please', 'hi-IN', 'en-US', 'en-US'],
    ['12345', 'hi-IN', 'en-US', 'hi-IN'],
    ['ya, saya boleh esok', 'en-GB', 'ms-MY', 'ms-MY'],
    ['I can come tomorrow', 'ms-MY', 'en-GB', 'en-GB'],
    ['我明天可以', 'en-US', 'zh-CN', 'zh-CN'],
    ['نعم من فضلك', 'en-US', 'ar-AE', 'ar-AE'],
    ['ஆமாம்', 'hi-IN', 'ta-IN', 'ta-IN'],
    ['', 'ta-IN', 'en-IN', 'ta-IN'],
  ])('%j between %s and %s is %s', (text, primary, secondary, language) => {
    expect(languageOf(text, primary, secondary)).toBe(language);
  });
});
