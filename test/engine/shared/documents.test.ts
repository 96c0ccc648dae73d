import { readFileSync } from 'node:fs'
import t from 'tap'
import { readDocument, readEmail, readPhone } from '../../../engine/shared/documents.ts'

const vectors = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/cpf-cnpj.json', import.meta.url), 'utf8'),
)

t.test('every CPF and CNPJ of the vectors is read, with its punctuation or without', async (t) => {
  const families = { CPF: vectors.cpf, CNPJ: vectors.cnpj }
  for (const [documentType, { valid, invalid }] of Object.entries(families)) {
    for (const { value, formatted } of valid) {
      t.same(readDocument(value), { document: value, documentType }, value)
      t.same(readDocument(formatted), { document: value, documentType }, formatted)
      t.same(readDocument(` ${formatted.toLowerCase()} `), { document: value, documentType }, 'small letters')
    }
    for (const { value, reason } of invalid) t.equal(readDocument(value), null, reason)
  }
})

t.test('the worked example of an alphanumeric CNPJ has the check digits that were worked out', async (t) => {
  const { base, digitFirst, digitSecond } = vectors.cnpjWorked
  t.equal(readDocument(`${base}${digitFirst}${digitSecond}`)?.document, `${base}${digitFirst}${digitSecond}`)
})

t.test('of all check digits exactly one pair is right', async (t) => {
  const pairs = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))
  const right = (base: string) => pairs.filter((pair) => readDocument(base + pair) !== null)
  t.same(right('123456789'), ['09'])
  t.same(right('112223330002'), ['62'])
  t.same(right('12ABC34501DE'), ['35'])
})

t.test('numbers of one repeated digit are nobody’s', async (t) => {
  for (let digit = 0; digit < 10; digit++) {
    t.equal(readDocument(String(digit).repeat(11)), null)
    t.equal(readDocument(String(digit).repeat(14)), null)
  }
})

t.test('what is not a CPF or a CNPJ is refused', async (t) => {
  const others = ['', '0', '123456789090', '12345678909x', '12_345_678_909', '12ABÇ34501DE35', '１2345678909']
  for (const text of others) t.equal(readDocument(text), null, text)
})

t.test('a foreign letter that turns into a plain one in capitals is refused', async (t) => {
  t.equal('ſ'.toUpperCase(), 'S')
  const withS = Array.from({ length: 100 }, (_, n) => `12ABS34501DE${String(n).padStart(2, '0')}`)
  const sound = withS.filter((text) => readDocument(text) !== null)
  t.equal(sound.length, 1)
  t.equal(readDocument(sound[0]!.replace('S', 'ſ')), null)
})

t.test('telephone numbers are reduced to 10 to 13 digits', async (t) => {
  t.equal(readPhone('+55 (11) 98765-4321'), '5511987654321')
  t.equal(readPhone('11 3333.4444'), '1133334444')
  t.equal(readPhone('11987654321'), '11987654321')
  for (const text of [
    '',
    '+',
    '987654321',
    '55119876543210',
    '1198765432a',
    '11+98765432',
    '++5511987654321',
  ]) {
    t.equal(readPhone(text), null, text)
  }
})

t.test('e-mail addresses keep their name and get a domain in lower case', async (t) => {
  t.equal(readEmail('Ana.Silva+pix@Example.COM.br'), 'Ana.Silva+pix@example.com.br')
  t.equal(readEmail(' a@b.co '), 'a@b.co')
  t.equal(readEmail("o'brien/x=1@xn--bcher-kva.example"), "o'brien/x=1@xn--bcher-kva.example")
})

t.test('what is no e-mail address is refused', async (t) => {
  const others = [
    '',
    '@',
    'a',
    'a@',
    '@b.co',
    'a@b',
    'a@b.c',
    'a@@b.co',
    'a b@c.co',
    '.a@b.co',
    'a.@b.co',
    'a..b@c.co',
    'a@-b.co',
    'a@b-.co',
    'a@b..co',
    'a@b.co.',
    'a@1.2.3.4',
    'a@[1.2.3.4]',
    '"a b"@c.co',
    'a@b_c.co',
    'á@b.co',
    'a@b.co\n',
    'a,b@c.co',
    'a@b.c1-',
  ]
  const accepted = others.filter((text) => readEmail(text) !== null)
  t.same(accepted, ['a@b.co\n'], 'only white space around an address is forgiven')
})

t.test('an e-mail address has at most 64 characters before the @ and 254 in all', async (t) => {
  const domain = `${'d'.repeat(61)}.${'d'.repeat(61)}.${'d'.repeat(61)}.co`
  t.equal(readEmail(`${'n'.repeat(64)}@${domain}`)?.length, 254 - 1)
  t.equal(readEmail(`${'n'.repeat(64)}@d${domain}`)?.length, 254)
  t.equal(readEmail(`${'n'.repeat(64)}@dd${domain}`), null)
  t.equal(readEmail(`${'n'.repeat(65)}@b.co`), null)
})
