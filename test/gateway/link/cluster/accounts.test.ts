import t from 'tap'
import type { Company } from '../../../../engine/companies/company.ts'
import { evolveDirectory, newDirectory } from '../../../../engine/companies/evolve.ts'
import type { CompanyId } from '../../../../engine/shared/ids.ts'
import { bounds } from '../../../../gateway/base/bounds.ts'
import { openAccounts } from '../../../../gateway/operations/accounts.ts'
import { aCompany } from '../../../engine/companies/entries.ts'

const company = (n: number, createdAtMs = 0): Company =>
  aCompany({ id: `cmp_${String(n).padStart(26, '0')}` as CompanyId, createdAtMs, updatedAtMs: createdAtMs })

/** Shards that may have no owner, and a clock that the test moves. */
const newWorld = (companies: readonly Company[]) => {
  const directory = newDirectory()
  for (const company of companies) evolveDirectory(directory, { type: 'CompanyCreated', company })
  const told: string[] = []
  const facts: string[] = []
  const pauses: { readonly ms: number; readonly end: () => void }[] = []
  const world = {
    hasOwners: true,
    onTold: async (): Promise<void> => undefined,
    nowMs: 0,
    told,
    facts,
    directory,
    /** Ends the pauses of this length, and lets everything happen that waits for nothing else. */
    pass: async (ms: number): Promise<void> => {
      const due = pauses.filter((pause) => pause.ms === ms)
      for (const pause of due) pauses.splice(pauses.indexOf(pause), 1)
      for (const { end } of due) end()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
  const accounts = openAccounts({
    directory,
    router: {
      execute: async (command) => {
        if (!world.hasOwners) throw new Error('the shard has no owner')
        if (command.type === 'OpenAccount') told.push(`${command.accountId} ${command.profile.name}`)
        await world.onTold()
        return { accepted: true } as never
      },
    },
    commit: async (decide) => {
      const event = decide()
      if (event === null) return
      facts.push(event.type)
      evolveDirectory(directory, event)
    },
    realNow: () => world.nowMs,
    onTrouble: () => undefined,
    pause: (ms) => new Promise<void>((end) => pauses.push({ ms, end })),
  })
  return Object.assign(world, { accounts })
}

t.test('a new company has its accounts in both environments, and all nodes know it', async (t) => {
  const { accounts, told, facts } = newWorld([company(1)])
  t.equal(await accounts.open(company(1).id), true)
  t.equal(told.length, 2)
  t.strictSame(facts, ['AccountsOpened'])
})

t.test('while a shard has no owner it is tried again; the answer does not wait for ever', async (t) => {
  const world = newWorld([company(1)])
  const { accounts, told, pass } = world
  world.hasOwners = false
  const opened = accounts.open(company(1).id)
  await pass(bounds.accountsRetryMs)
  await pass(bounds.accountsWaitMs)
  t.equal(await opened, false)
  world.hasOwners = true
  await pass(bounds.accountsRetryMs)
  t.equal(told.length, 2)
  t.equal(await accounts.open(company(1).id), true)
  t.equal(told.length, 2, 'it is open already')
})

t.test('a start opens what is missing and asks no shard about the rest', async (t) => {
  const { accounts, directory, told, facts, pass } = newWorld([company(1), company(2)])
  evolveDirectory(directory, { type: 'AccountsOpened', companyId: company(1).id, revision: 1 })
  accounts.openMissing()
  await pass(0)
  t.equal(told.length, 2)
  t.ok(told.every((accountId) => accountId.startsWith(company(2).id)))
  t.strictSame(facts, ['AccountsOpened'])
})

t.test('what another node has left undone is done after a while', async (t) => {
  const world = newWorld([])
  const { accounts, directory, told, pass } = world
  accounts.openMissing()
  evolveDirectory(directory, { type: 'CompanyCreated', company: company(1, 1000) })
  world.nowMs = 2000
  await pass(bounds.accountsCheckMs)
  t.strictSame(told, [], 'the node that made it is at it')
  world.nowMs = 1000 + bounds.accountsCheckMs
  await pass(bounds.accountsCheckMs)
  t.equal(told.length, 2)
})

t.test('accounts hear of a change, and of one that comes while they are told', async (t) => {
  const world = newWorld([company(1)])
  const { accounts, directory, told, facts } = world
  const { id } = company(1)
  await accounts.open(id)
  const rename = (name: string) =>
    evolveDirectory(directory, { type: 'CompanyChanged', id, changes: { name }, atMs: 1 })
  rename('A')
  world.onTold = async () => {
    if (directory.companies.get(id)!.name === 'A') rename('B')
  }
  t.equal(await accounts.open(id), true)
  t.strictSame(
    told.map((line) => line.split(' ').at(-1)),
    ['Azul', 'Azul', 'A', 'A', 'B', 'B'],
  )
  t.equal(directory.opened.get(id), 3)
  t.equal(facts.length, 3)
})
