import t from 'tap'
import { openPendingChanges } from '../../../../gateway/operations/pending-changes.ts'
import { refuseAs } from '../../../../gateway/problems/refusal.ts'
import { newPerson, type Operator, refusal } from '../operator.ts'

const owner = { SANDBOX: null, PRODUCTION: 'OWNER' } as const
const hourMs = 3_600_000

const changesDue = ({ directory, commit, world }: Operator) =>
  openPendingChanges({
    directory,
    commit,
    accounts: { open: async () => true },
    realNow: world.now,
    onTrouble: (error) => {
      throw error
    },
  })

t.test('a company says what it is, member by member, and takes back what need not be there', async (t) => {
  const { does, facts, company } = await newPerson(owner)
  t.match(await does('company get'), {
    object: 'company',
    legalName: 'Loja Azul',
    tradeName: null,
    logo: null,
  })
  const profile = {
    name: 'Loja Azul Ltda',
    tradeName: ' Azul ',
    companyType: 'MEI',
    email: 'contato@AZUL.com.br',
    phone: '(81) 98765-4321',
    website: 'https://azul.com.br',
    statementDescriptor: 'AZUL*LOJA 1',
  }
  t.match(await does('company update', profile), {
    legalName: 'Loja Azul Ltda',
    tradeName: 'Azul',
    companyType: 'MEI',
    email: 'contato@azul.com.br',
    phone: '81987654321',
    website: 'https://azul.com.br/',
    statementDescriptor: 'AZUL*LOJA 1',
    document: company.document,
  })
  const count = facts.length
  await does('company update', profile)
  await does('company update')
  t.equal(facts.length, count, 'what is so already is no fact')
  t.match(await does('company update', { email: null, website: '' }), {
    email: null,
    website: null,
    tradeName: 'Azul',
  })
  for (const [member, value] of [
    ['name', ''],
    ['companyType', 'SA'],
    ['email', 'nobody'],
    ['phone', '12'],
    ['website', 'javascript:alert(1)'],
    ['website', 'https://me:secret@azul.com.br'],
    ['statementDescriptor', 'AZUL'],
    ['statementDescriptor', 'azul loja'],
    ['statementDescriptor', 'A'.repeat(23)],
    ['timeZone', 'Mars/Olympus'],
  ])
    t.match(await refusal(does('company update', { [member!]: value })), { code: 'VALIDATION_ERROR' }, value!)
  for (const member of ['document', 'fees', 'products'])
    t.match(await refusal(does('company update', { [member]: {} })), { code: 'VALIDATION_ERROR' }, member)
})

t.test('days change at the next midnight', async (t) => {
  const person = await newPerson(owner)
  const { does, directory, company, world } = person
  const changed = await does('company update', { timeZone: 'America/Manaus' })
  t.match(changed, {
    timeZone: 'America/Sao_Paulo',
    pendingTimeZone: { timeZone: 'America/Manaus', effectiveAt: /T03:00:00.000Z$/ },
  })
  const untilMs = Date.parse(changed.pendingTimeZone.effectiveAt) - world.now()
  const due = changesDue(person)
  t.equal(due.nextInMs(), Math.min(30_000, untilMs))
  world.pass(untilMs - 1)
  await due.tick()
  t.equal(directory.companies.get(company.id)!.timeZone, 'America/Sao_Paulo')
  t.equal(due.nextInMs(), 200, 'not at once: another node may be at it')
  world.pass(1)
  await due.tick()
  t.match(await does('company get'), { timeZone: 'America/Manaus', pendingTimeZone: null })
  await does('company update', { timeZone: 'America/Belem' })
  t.match(
    await does('company update', { timeZone: 'America/Manaus' }),
    { pendingTimeZone: null },
    'taken back',
  )
})

t.test('only an owner sets the bank account, with a second factor, and it counts a day later', async (t) => {
  const bankAccount = { bankCode: '341', branch: '1234-5', account: '123456-7', accountType: 'CHECKING' }
  const admin = await newPerson({ SANDBOX: 'OWNER', PRODUCTION: 'ADMIN' })
  t.match(await refusal(admin.does('company update', { bankAccount })), {
    code: 'NO_PERMISSION',
    extra: { requiredRole: 'OWNER' },
  })
  const person = await newPerson(owner)
  const { does, hooks, world, facts } = person
  let asked = 0
  hooks.onConfirm = () => {
    asked += 1
    if (asked === 1) refuseAs('SECOND_FACTOR_REQUIRED')
  }
  for (const wrong of [
    { bankCode: '34' },
    { accountType: 'GOLD' },
    { branch: 'x' },
    { account: '' },
    { pix: 1 },
  ])
    t.match(
      await refusal(does('company update', { bankAccount: { ...bankAccount, ...wrong } })),
      { code: 'VALIDATION_ERROR' },
      JSON.stringify(wrong),
    )
  t.equal(asked, 0)
  t.match(await refusal(does('company update', { bankAccount })), { code: 'SECOND_FACTOR_REQUIRED' })
  t.equal(facts.length, 1, 'the company alone')
  t.match(await does('company update', { bankAccount }), {
    bankAccount: null,
    pendingBankAccount: { bankAccount, effectiveAt: new Date(world.now() + 24 * hourMs).toISOString() },
  })
  await does('company update', { tradeName: 'Azul' })
  t.equal(asked, 2, 'nothing else takes one')
  world.pass(23 * hourMs)
  t.match(await does('company update', { bankAccount }), {
    pendingBankAccount: { effectiveAt: new Date(world.now() + hourMs).toISOString() },
  })
  world.pass(hourMs)
  t.match(await does('company get'), { bankAccount, pendingBankAccount: null })
  await changesDue(person).tick()
  t.match(await does('company get'), { bankAccount, pendingBankAccount: null })
  t.strictSame(person.directory.companies.get(person.company.id)!.bankAccount, bankAccount)
  t.match(await does('company update', { bankAccount: null }), {
    bankAccount,
    pendingBankAccount: { bankAccount: null },
  })
  t.match(await does('company update', { bankAccount }), { pendingBankAccount: null }, 'taken back')
})

/** Pictures as far as the check looks at them. */
const png = (width: number, height: number): Buffer => {
  const bytes = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
    Buffer.alloc(40),
    Buffer.from('\0\0\0\0IEND\xae\x42\x60\x82', 'latin1'),
  ])
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
const jpeg = (width: number, height: number): Buffer => {
  const frame = Buffer.from([0xff, 0xc2, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc4, 0, 3, 1]),
    frame,
    Buffer.from([0xff, 0xd9]),
  ])
}

t.test('a logo is a PNG or JPEG of 64 to 1024 pixels, whatever it is called', async (t) => {
  const { does } = await newPerson(owner)
  const set = (bytes: Buffer | string, prefix = '') =>
    does('company logo', { image: prefix + (typeof bytes === 'string' ? bytes : bytes.toString('base64')) })
  t.match(await set(png(64, 1024)), { logo: `data:image/png;base64,${png(64, 1024).toString('base64')}` })
  t.match(await set(jpeg(640, 480), 'data:image/png;base64,'), { logo: /^data:image\/jpeg;base64,/ })
  for (const [picture, code] of [
    [png(63, 64), 'OUT_OF_RANGE'],
    [png(64, 1025), 'OUT_OF_RANGE'],
    [jpeg(2000, 480), 'OUT_OF_RANGE'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 'INVALID_FORMAT'],
    [png(64, 64).subarray(0, -4), 'INVALID_FORMAT'],
    [jpeg(64, 64).subarray(0, -2), 'INVALID_FORMAT'],
    [Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0xff, 0xd9]), 'INVALID_FORMAT'],
    ['not base64!', 'INVALID_FORMAT'],
    ['', 'INVALID_FORMAT'],
    ['A'.repeat(48 * 1024 + 4), 'TOO_LONG'],
  ] as const)
    t.match(
      await refusal(set(picture)),
      { extra: { errors: [{ field: 'image', code }] } },
      String(picture).slice(0, 20),
    )
  t.match(await does('company get'), { logo: /^data:image\/jpeg/ }, 'the one before is kept')
  t.match(await does('company logo', { image: null }), { logo: null })
})
