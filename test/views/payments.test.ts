import { expect, test } from 'vitest';
import { readPayment, safeLink } from '#views/pub/payments.ts';

test.each([
  ['ada@club.example', { kind: 'mail', text: 'ada@club.example', href: 'mailto:ada@club.example' }],
  ['  +1 (555) 010-9999 ', { kind: 'phone', text: '+1 (555) 010-9999', href: 'tel:+15550109999' }],
  ['555.010.9999', { kind: 'phone', text: '555.010.9999', href: 'tel:5550109999' }],
  [
    'https://www.pay.example/u/ada?x=1',
    { kind: 'link', text: 'pay.example/u/ada', href: 'https://www.pay.example/u/ada?x=1' },
  ],
  ['HTTPS://pay.example', { kind: 'link', text: 'pay.example', href: 'https://pay.example/' }],
  ['@ada-pours', { kind: 'name', text: '@ada-pours' }],
  ['Ada Lovelace', { kind: 'name', text: 'Ada Lovelace' }],
  ['12', { kind: 'name', text: '12' }],
])('the kind of %s is recognised', (value, payment) => {
  expect(readPayment(value)).toEqual(payment);
});

test.each([
  'javascript:alert(1)',
  ' JavaScript:alert(1)//@pay.example',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'http://pay.example',
  '//pay.example',
  'https://pay.example@evil.example/',
  'https://',
  'ada@club.example?subject=x&body=y',
  'mailto:ada@club.example',
  '"><script>@club.example',
])('%s never becomes a link', (value) => {
  expect(readPayment(value)).toEqual({ kind: 'name', text: value.trim() });
  expect(safeLink(value)).toBeUndefined();
});

test('an empty value is no payment', () => {
  expect(readPayment('  ')).toBeUndefined();
});
