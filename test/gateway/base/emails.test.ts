import t from 'tap'
import { readInternationalEmail, shownEmail, withAsciiDomain } from '../../../gateway/base/emails.ts'

t.test('an international domain is kept as A-labels and shown in its own letters', async (t) => {
  const addresses = [
    ['ana@café.com.br', 'ana@xn--caf-dma.com.br', 'ana@café.com.br'],
    ['ana@CAFÉ.com.br', 'ana@xn--caf-dma.com.br', 'ana@café.com.br'],
    ['ana@cafe\u0301.com.br', 'ana@xn--caf-dma.com.br', 'ana@café.com.br'],
    ['ana@почта.рф', 'ana@xn--80a1acny.xn--p1ai', 'ana@почта.рф'],
    ['ana@例え。テスト', 'ana@xn--r8jz45g.xn--zckzah', 'ana@例え.テスト'],
    [' ana@xn--caf-dma.com.br ', 'ana@xn--caf-dma.com.br', 'ana@café.com.br'],
    ['Ana@Example.com', 'Ana@example.com', 'Ana@example.com'],
    ['xn--a@example.com', 'xn--a@example.com', 'xn--a@example.com'],
  ] as const
  for (const [typed, kept, shown] of addresses) {
    t.equal(readInternationalEmail(typed), kept, typed)
    t.equal(shownEmail(kept), shown, kept)
    t.equal(readInternationalEmail(shown), kept, 'what is shown is read again')
  }
})

t.test('what is no domain in any language is refused', async (t) => {
  const others = [
    'ana@café',
    'ana@é.com:25',
    'ana@é.com/x',
    'ana@é com.br',
    'ana@é..com',
    'ana@é%41.com',
    'ana@-é.com\u0000',
    'ana@é@b.com',
    `ana@${'é'.repeat(60)}.com`,
    'aná@café.com',
  ]
  for (const text of others) t.equal(readInternationalEmail(text), null, text)
  const long = `a@${'é.'.repeat(32)}com`
  t.equal(readInternationalEmail(long), null, 'too long once it is A-labels')
})

t.test('a search text becomes A-labels only where it is an address', async (t) => {
  t.equal(withAsciiDomain('José da Silva'), 'José da Silva')
  t.equal(withAsciiDomain('ana@café.com.br'), 'ana@xn--caf-dma.com.br')
  t.equal(withAsciiDomain('@café'), '@xn--caf-dma')
})
