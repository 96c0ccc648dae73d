import { readFileSync } from 'node:fs'
import t from 'tap'
import { hasDocumentForm, readDocument, readEmail, readPhone } from '../../../engine/shared/documents.ts'

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

t.test(
  'spaces and hyphens of any kind are no part of a document, and neither is what nobody sees',
  async (t) => {
    const written = [
      '529.982.247‐25',
      '529.982.247‑25',
      '529.982.247–25',
      '529.982.247—25',
      '529.982.247−25',
      '529\u00a0982\u00a0247\u00a025',
      '529\u202f982\u2009247\u300025',
      '\u200b529.982.247-25\u200d',
      '\ufeff52998224725',
      '\u202a529.982.247-25\u202c',
      '529982247\u00ad25',
      '52998224725\n',
    ]
    for (const text of written) t.equal(readDocument(text)?.document, '52998224725', JSON.stringify(text))
    t.equal(readDocument('12.ABC.345/01DE‑35')?.document, '12ABC34501DE35')
    t.equal(readDocument('12.ABC.345⁄01DE–35')?.document, '12ABC34501DE35')
  },
)

t.test('a document has its form before its check digits count', async (t) => {
  for (const text of ['529.982.247-26', '11111111111', '12ABC34501DE36']) t.ok(hasDocumentForm(text), text)
  for (const text of ['', '5299822472', '529982247255', '12ABC34501DEAB', '5299822472a'])
    t.notOk(hasDocumentForm(text), text)
})

t.test('a telephone number of another country keeps its plus, and is never one of Brazil', async (t) => {
  t.equal(readPhone('+1 (415) 555-2671'), '+14155552671')
  t.equal(readPhone('+351 912 345 678'), '+351912345678')
  t.equal(readPhone('+47 22 12 34 56'), '+4722123456')
  t.equal(readPhone('+595 21 123456'), '+59521123456')
  t.equal(readPhone('\u202a+1 415‑555‑2671\u202c'), '+14155552671', 'as telephones copy it')
  t.equal(readPhone('14155552671'), '14155552671', 'without a plus it is one of Brazil')
  for (const text of [
    '+0 415 555 2671',
    '+123456',
    '+1234567890123456',
    '+1+4155552671',
    '+55 415',
    '+55 9876-5432',
    '+',
  ])
    t.equal(readPhone(text), null, text)
})

t.test('the zero before an area code is dropped, and that of 0800 is not', async (t) => {
  t.equal(readPhone('011 98765-4321'), '11987654321')
  t.equal(readPhone('(011) 3333-4444'), '1133334444')
  t.equal(readPhone('+55 (0)11 98765‑4321'), '5511987654321')
  t.equal(readPhone('55 011 3333 4444'), '551133334444')
  t.equal(readPhone('0800 123 4567'), '08001234567')
  t.equal(readPhone('0300 123 4567'), '03001234567')
  t.equal(readPhone('01198765432'), '1198765432')
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
