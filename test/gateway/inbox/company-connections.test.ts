import t from 'tap'
import type { CompanyConnection, ConnectionState } from '../../../engine/companies/connection.ts'
import { accountIdOf, type CompanyId } from '../../../engine/shared/ids.ts'
import { inboxConnections } from '../../../gateway/inbox/company-connections.ts'
import { isHookToken } from '../../../gateway/inbox/hook-address.ts'
import { isSameName } from '../../../gateway/inbox/peer.ts'
import type { ConnectedProvider } from '../../../gateway/providers/connected.ts'
import { sealedHookToken } from '../../../gateway/providers/connection-settings.ts'
import { connectionOf, tokenOf } from './hooks.ts'

const masterKey = Buffer.alloc(32, 7)
const companyId = `cmp_${'0'.repeat(25)}1` as CompanyId
const id = connectionOf(1)
const pinned = { noticeAuthority: 'PEM', noticeIssuer: 'CN=a', noticeSubject: 'CN=b' }

const aConnection = (
  settings: Readonly<Record<string, unknown>> = pinned,
  state: ConnectionState = 'ACTIVE',
): CompanyConnection => ({
  ...{ id, companyId, environment: 'PRODUCTION', provider: 'a-bank', rails: ['PIX'], offers: [], state },
  ...{ role: 'PRIMARY', suspension: null, former: null, requested: null },
  ...{ revision: 1, createdAtMs: 0, updatedAtMs: 0 },
  credentials: { settings, sealed: {}, certificate: null },
  sealedHookToken: sealedHookToken(tokenOf(1), id, masterKey),
})

const over = (connection: CompanyConnection, origin: string | null = 'https://banks.example.com') => {
  const byId = new Map([[connection.id, connection]])
  const instance = {}
  const faults: unknown[] = []
  return {
    faults,
    byId,
    connections: inboxConnections({
      directory: { connections: { byId, applied: new Map(), unregistered: new Map() } },
      masterKey,
      origin,
      byConnection: () => ({ instance }) as ConnectedProvider,
      onFault: (error) => faults.push(error),
    }),
  }
}

t.test('a connection in use is reported to by the bank that its settings name', async (t) => {
  for (const state of ['ACTIVE', 'SUSPENDED', 'RETIRED'] as const) {
    const { connections } = over(aConnection(pinned, state))
    const target = connections.targets.find(id)!
    t.equal(target.accountId, accountIdOf(companyId, 'PRODUCTION'))
    t.strictSame(target.peer, { authorities: ['PEM'], issuer: 'CN=a', subject: 'CN=b' })
    t.ok(isHookToken(target, tokenOf(1)))
    t.notOk(isHookToken(target, tokenOf(2)))
    t.equal([...connections.targets.all()].length, 1)
    t.equal([...connections.inUse()].length, 1)
  }
  for (const state of ['DRAFT', 'VERIFIED'] as const) {
    const { connections } = over(aConnection(pinned, state))
    t.equal(connections.targets.find(id), null)
    t.strictSame([...connections.inUse()], [])
  }
})

t.test(
  'without a whole certificate in its settings nothing can be reported, but at a host for tests',
  async (t) => {
    for (const name of Object.keys(pinned)) {
      const { connections } = over(aConnection({ ...pinned, [name]: undefined }))
      t.equal(connections.targets.find(id), null, name)
      t.equal(connections.open(id)!.hookAddress, null, 'and the bank is given no address')
    }
    t.equal(over(aConnection({ host: 'PRODUCTION' })).connections.targets.find(id), null)
    t.equal(over(aConnection({ host: 'TEST' })).connections.targets.find(id)!.peer, null)
    t.not(over(aConnection({ ...pinned, host: 'TEST' })).connections.targets.find(id)!.peer, null)
  },
)

t.test('an address is registered where banks reach the port, and not of a retired connection', async (t) => {
  const address = `https://banks.example.com/hooks/${id}/${tokenOf(1)}`
  t.equal(over(aConnection()).connections.open(id)!.hookAddress, address)
  t.equal(over(aConnection(), null).connections.open(id)!.hookAddress, null)
  t.equal(over(aConnection(pinned, 'RETIRED')).connections.open(id)!.hookAddress, null)
})

t.test(
  'changes count at once, and a token that was sealed for another connection opens nothing',
  async (t) => {
    const { connections, byId, faults } = over(aConnection())
    t.not(connections.targets.find(id), null)
    byId.set(id, aConnection({}))
    t.equal(connections.targets.find(id), null)
    byId.set(id, {
      ...aConnection(),
      sealedHookToken: sealedHookToken(tokenOf(1), connectionOf(2), masterKey),
    })
    t.equal(connections.targets.find(id), null)
    t.equal(faults.length, 1)
  },
)

t.test('names are the same in whatever order and form they are printed', async (t) => {
  const lines = 'C=BR\nO=Banco S.A.\nCN=hooks.bank.example'
  t.ok(isSameName(lines, 'CN=hooks.bank.example,O=Banco S.A.,C=BR'))
  t.ok(isSameName(lines, 'C = BR, O = Banco S.A., CN = hooks.bank.example'))
  t.notOk(isSameName(lines, 'CN=hooks.bank.example,C=BR'), 'a part is missing')
  t.notOk(isSameName(lines, `${lines}\nOU=x`))
  t.notOk(isSameName(lines, lines.replace('hooks', 'other')))
  t.notOk(isSameName('', ''))
  // What `openssl x509 -nameopt RFC2253` prints of a name that Node shows with its letters.
  t.ok(isSameName('O=Efí\nCN=São João CA', 'CN=S\\C3\\A3o Jo\\C3\\A3o CA,O=Ef\\C3\\AD'))
  t.notOk(isSameName('CN=Efí', 'CN=Ef\\C3\\AE'), 'another letter')
  t.notOk(isSameName('CN=Efí', 'CN=Ef\\\\C3\\\\AD'), 'a backslash that is itself escaped')
})
