import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { eventTypes } from '../../../../engine/kernel/event-types.ts'
import { resultLines } from '../../../../gateway/operator/command-line/output/print.ts'
import { lengthOf, wrap } from '../../../../gateway/operator/command-line/output/table.ts'

const plain = { columns: 100, hasColors: false }
const id = (prefix: string): string => `${prefix}_${'7'.repeat(26)}`
const instant = '2026-11-22T13:14:15.678Z'

const company = {
  id: id('cmp'),
  object: 'company',
  name: 'Associação de Comércio e Serviços de São João das Águas Claras Ltda',
  document: '11222333000181',
  status: 'SUSPENDED',
  address: {
    street: 'Rua das Flores',
    number: '10',
    complement: null,
    district: 'Centro',
    city: 'São Paulo',
    state: 'SP',
    zip: '01000000',
  },
  createdAt: instant,
}
const key = {
  id: id('key'),
  object: 'api_key',
  companyId: id('cmp'),
  environment: 'PRODUCTION',
  scopes: ['charges.create', 'charges.read', 'subscriptions.manage', 'marketplace.manage', 'refunds.create'],
  last4: 'Zz9_',
  status: 'EXPIRING',
}
const endpoint = {
  id: id('whe'),
  object: 'webhook_endpoint',
  environment: 'PRODUCTION',
  status: 'DISABLED',
  url: `https://example.com/${'long/'.repeat(40)}`,
  events: eventTypes,
  extraEvents: true,
  signature: 'standard-webhooks',
  headerNames: ['Authorization', 'X-Shop'],
}
const delivery = {
  id: id('dlv'),
  object: 'delivery',
  type: 'crypto.withdrawal_completed',
  status: 'SUCCEEDED',
  attempts: [{ statusCode: null, error: 'BLOCKED_ADDRESS' }],
  createdAt: instant,
}

/** The name of what a row is, and a time that is shown to the minute. */
const unshown: readonly string[] = ['company', 'api_key', 'webhook_endpoint', 'delivery', instant]

t.test('lists fit 100 columns, and nothing in them is cut', async (t) => {
  for (const row of [company, key, endpoint, delivery]) {
    const lines = resultLines({ object: 'list', data: [row, row] }, plain)
    t.ok(Math.max(...lines.map(lengthOf)) <= 100, `${row.object}: ${lines.map(lengthOf).join(', ')}`)
    t.equal(lines.filter((line) => line.startsWith(row.id)).length, 2, 'a row begins with its id')
    const joined = lines.join('').replaceAll(' ', '')
    for (const text of Object.values(row).flat())
      if (typeof text === 'string' && !unshown.includes(text))
        t.ok(joined.includes(text.replaceAll(' ', '').slice(0, 12)), text)
  }
})

t.test('a list says how many there are beside those that it shows, and that there is none', async (t) => {
  t.equal(resultLines({ data: [delivery], total: 512 }, plain).at(-1), '1 of 512')
  t.notMatch(resultLines({ data: [delivery], total: 1 }, plain).at(-1), /of/)
  t.strictSame(resultLines({ data: [] }, plain), ['none'])
})

t.test('a company is shown with its address below it, a member a line', async (t) => {
  const lines = resultLines(company, plain)
  t.match(lines[0], /^id +cmp_7+$/)
  t.ok(lines.includes('address'))
  t.ok(lines.some((line) => /^ {2}street +Rua das Flores$/.test(line)))
  t.ok(lines.some((line) => /^ {2}complement +-$/.test(line)))
})

t.test('on a terminal titles and statuses have colours, which take no width', async (t) => {
  const lines = resultLines({ data: [company] }, { columns: 100, hasColors: true })
  t.ok(lines.join('').includes('\u001b[31mSUSPENDED\u001b[39m'))
  t.strictSame(
    lines.map(stripVTControlCharacters),
    resultLines({ data: [company] }, plain),
    'and are all that differs',
  )
})

t.test('what a receiver has answered cannot move the cursor', async (t) => {
  const lines = resultLines({ id: id('dlv'), answer: '\u001b[2Jgone\nand more' }, plain)
  t.strictSame(lines[1], 'answer  \\u001b[2Jgone\\nand more')
})

t.test('texts are broken at spaces, and words that are too long within', async (t) => {
  t.strictSame(wrap('one two three', 8), ['one two', 'three'])
  t.strictSame(wrap('abcdefghij', 4), ['abcd', 'efgh', 'ij'])
  t.strictSame(wrap('', 4), [''])
})

t.test('a terminal that is too narrow for the columns gets a block of lines for each row', async (t) => {
  for (const columns of [48, 60, 80]) {
    const lines = resultLines({ object: 'list', data: [company, company] }, { ...plain, columns })
    for (const line of lines) t.ok(lengthOf(line) <= columns, line)
    t.ok(
      lines.some((line) => line.includes(company.id)),
      'ids are whole',
    )
  }
})

t.test('people who are only invited are listed with the day on which that ends', async (t) => {
  const invitation = {
    object: 'invitation',
    email: 'ana@example.com',
    roles: { SANDBOX: 'ADMIN', PRODUCTION: null },
    companyId: id('cmp'),
    expiresAt: instant,
  }
  t.match(
    resultLines({ object: 'list', data: [invitation] }, plain).join('\n'),
    /invited until 2026-11-22 +ana@example/,
  )
})

t.test('providers are listed with what they need, and one of them with each of its settings', async (t) => {
  const setting = (name: string, more: object = {}) => ({
    ...{ name, description: `What ${name} is.`, required: false, secret: false, operatorOnly: false },
    ...more,
  })
  const bank = {
    object: 'connection_provider',
    ...{ name: 'efi', label: 'Efí', rails: ['PIX', 'PAYOUT'] },
    settings: [
      setting('clientId', { required: true }),
      setting('privateKey', { secret: true }),
      setting('host', { operatorOnly: true }),
    ],
  }
  t.strictSame(resultLines({ object: 'list', data: [bank] }, plain), [
    'NAME  LABEL  RAILS',
    'efi   Efí    PIX PAYOUT',
    '  needs clientId',
  ])
  const settings = bank.settings.map((one) => ({ object: 'provider_setting', ...one }))
  t.strictSame(resultLines({ ...bank, settings }, plain).slice(-4), [
    'NAME        NEEDED  SEALED  SET BY    WHAT IT IS',
    'clientId    yes     -       people    What clientId is.',
    'privateKey  -       yes     people    What privateKey is.',
    'host        -       -       operator  What host is.',
  ])
})
