import t from 'tap'
import { aPayOut } from '../sample-asks.ts'
import { bankNames, connectedBank } from './bank-connection.ts'

const tokensGiven = ({ bank, server }: any): number =>
  server.requests().filter(({ path }: any) => path === bank.context.profile.tokenPath).length

for (const name of bankNames)
  t.test(
    `${name}: one token is requested for many asks at once, and another shortly before it ends`,
    async (t) => {
      const { bank, instance, asks } = await connectedBank(t, name)
      await Promise.all([1, 2, 3, 4].map(() => instance.ask(asks.register())))
      t.equal(tokensGiven(bank), 1)
      const { tokenSeconds } = bank.bank.context.profile
      await bank.clock.advance((tokenSeconds - 61) * 1_000)
      await instance.ask(asks.register())
      t.equal(tokensGiven(bank), 1)
      await bank.clock.advance(1_000)
      await instance.ask(asks.register())
      t.equal(tokensGiven(bank), 2)
      t.equal(bank.bank.charges.all().length, 6)
    },
  )

t.test('a token that the bank takes no longer is replaced within the ask, once', async (t) => {
  const { bank, instance, asks } = await connectedBank(t, 'itau')
  await instance.ask(asks.register())
  await bank.hold('POST /tokens/revoke')
  t.match(await instance.ask(asks.register()), { type: 'DONE' })
  t.equal(tokensGiven(bank), 2)
  bank.bank.faults.add({ verb: 'PUT', times: 2, does: { kind: 'error', status: 401 } })
  t.strictSame(await instance.ask(asks.register()), { type: 'SILENT' })
  t.equal(tokensGiven(bank), 3)
})

t.test('without a token nothing is sent', async (t) => {
  const { bank, open, asks } = await connectedBank(t, 'itau')
  const stranger = open({ clientSecret: 'another' })
  t.strictSame(await stranger.ask(asks.register()), { type: 'SILENT' })
  t.strictSame(
    bank.server.requests().map(({ verb }) => verb),
    ['POST'],
  )
})

t.test(
  'a server of another authority is shown no token, and a client without its certificate is not let in',
  async (t) => {
    const { bank, open, asks } = await connectedBank(t, 'itau')
    for (const change of [
      { serverAuthority: bank.clientAuthority.cert },
      { certificate: undefined, privateKey: undefined },
    ])
      t.strictSame(await open(change).ask(asks.register()), { type: 'SILENT' })
    t.strictSame(bank.server.requests(), [])
  },
)

t.test('the fixed token of a test host is used where a connection is to it alone', async (t) => {
  const { bank, open, asks } = await connectedBank(t, 'sicoob')
  const fixedToken = await bank.currentToken()
  const given = tokensGiven(bank)
  t.match(await open({ host: 'TEST', fixedToken }).ask(asks.register()), { type: 'DONE' })
  t.equal(tokensGiven(bank), given)
  t.match(await open({ fixedToken: 'wrong' }).ask(asks.register()), { type: 'DONE' })
})

t.test('an application that may neither send PIX nor read balances takes charges all the same', async (t) => {
  const scopes = ['cob', 'cobv', 'pix', 'webhook'].flatMap((of) => [`${of}.read`, `${of}.write`])
  const { instance, asks } = await connectedBank(t, 'inter', { scopes, settings: { pixAutomatic: false } })
  t.match(await instance.ask(asks.register()), { type: 'DONE' })
  t.equal(await instance.balance!(), null)
  t.match(await instance.ask(aPayOut({ pixKey: 'maria@example.com' }, asks.head(100))), { type: 'SILENT' })
  t.match(await instance.ask(asks.register()), { type: 'DONE' })
})
