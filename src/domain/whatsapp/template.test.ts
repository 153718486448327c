import { describe, expect, it } from 'vitest';
import { filledTemplate, readTemplates, templateProblems, templateText, variableNames } from './template.ts';

const page = (...data: object[]) => readTemplates({ data });
const base = { name: 'order_update', language: 'en_US', status: 'APPROVED', category: 'UTILITY' };
const [order] = page({
  ...base,
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
    { type: 'BODY', text: 'Hello {{1}}, order {{2}} leaves on {{1}}.' },
    { type: 'FOOTER', text: 'City Dental' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Thanks' },
        { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' },
      ],
    },
  ],
});
const args = { header_1: 'A7', body_1: 'Asha', body_2: 'B\n  9', button_2: 'code' };

describe('a template of the vendor', () => {
  it('has a variable for each placeholder, and each once', () => {
    expect(variableNames(order!)).toEqual(['header_1', 'body_1', 'body_2', 'button_2']);
    expect(order).toMatchObject({ footer: 'City Dental', unusable: null, isNamed: false });
  });

  it('becomes a message with the values of a contact, in the order of the placeholders', () => {
    expect(filledTemplate(order!, args)).toEqual({
      type: 'template',
      template: {
        name: 'order_update',
        language: { code: 'en_US' },
        components: [
          { type: 'header', parameters: [{ type: 'text', text: 'A7' }] },
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Asha' },
              { type: 'text', text: 'B 9' },
            ],
          },
          {
            type: 'button',
            sub_type: 'url',
            index: '1',
            parameters: [{ type: 'text', text: 'code' }],
          },
        ],
      },
    });
    expect(templateText(order!, args)).toBe('Order A7\nHello Asha, order B 9 leaves on Asha.');
  });

  it('names its placeholders where the account does', () => {
    const [named] = page({
      ...base,
      parameter_format: 'NAMED',
      components: [{ type: 'BODY', text: 'Hello {{ first_name }}' }],
    });
    expect(variableNames(named!)).toEqual(['first_name']);
    expect(filledTemplate(named!, { first_name: 'Asha' })).toMatchObject({
      template: {
        components: [{ parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Asha' }] }],
      },
    });
  });

  it('takes a picture of its header by an https address', () => {
    const [picture] = page({
      ...base,
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Look' },
      ],
    });
    expect(templateProblems(picture!, { header_image: 'http://example.com/a.jpg' })).toEqual([
      { variable: 'header_image', reason: 'must be an https address of the file' },
    ]);
    const link = 'https://example.com/a.jpg';
    expect(filledTemplate(picture!, { header_image: link })).toMatchObject({
      template: {
        components: [{ type: 'header', parameters: [{ type: 'image', image: { link } }] }],
      },
    });
  });

  it('is not sent without approval, with one-time codes or with parts that campaigns do not fill', () => {
    const why = (more: object) =>
      page({ ...base, components: [{ type: 'BODY', text: 'Hi' }], ...more })[0]?.unusable;
    expect(why({})).toBeNull();
    expect(why({ status: 'PAUSED' })).toContain('PAUSED');
    expect(why({ category: 'AUTHENTICATION' })).toContain('one-time codes');
    const body = { type: 'BODY', text: 'Hi' };
    expect(why({ components: [body, { type: 'CAROUSEL' }] })).toContain('CAROUSEL');
    expect(why({ components: [body, { type: 'HEADER', format: 'LOCATION' }] })).toContain('LOCATION');
    expect(why({ components: [body, { type: 'BUTTONS', buttons: [{ type: 'OTP' }] }] })).toContain('otp');
  });

  it('names each value that is missing or too long', () => {
    expect(templateProblems(order!, { ...args, body_2: ' ' })).toEqual([
      { variable: 'body_2', reason: 'is required by the template' },
    ]);
    expect(templateProblems(order!, { ...args, header_1: 'x'.repeat(60) })).toEqual([
      { variable: 'header_1', reason: 'makes the header longer than 60 characters' },
    ]);
    expect(templateProblems(order!, { ...args, body_1: 'x'.repeat(600) })).toEqual([
      { variable: 'body_1', reason: 'makes the body longer than 1024 characters' },
    ]);
    expect(templateProblems(order!, args)).toEqual([]);
  });

  it('is left out of the list without a name, a language or a body', () => {
    expect(page({ ...base }, { components: [{ type: 'BODY', text: 'Hi' }] })).toEqual([]);
    expect(readTemplates(null)).toEqual([]);
    expect(readTemplates({ data: 'x' })).toEqual([]);
  });
});
