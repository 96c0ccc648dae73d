import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { DirectoryFact } from '../../../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../../../engine/companies/evolve.ts'
import type { PayerKey } from '../../../../engine/companies/payer-key.ts'
import type { Entry } from '../../../../engine/kernel/entry.ts'
import { accountIdOf } from '../../../../engine/shared/ids.ts'
import { turnPayerKeys } from '../../../../gateway/operations/account/payer-keys.ts'
import { payerKeyRing } from '../../../../gateway/runtime/payer-key-ring.ts'
import { sealedDirectory } from '../../../../gateway/runtime/sealed-directory.ts'
import { openFactLog } from '../../../../persistence/journal/fact-log.ts'
import { aCompany } from '../../../engine/companies/entries.ts'
import { companyId } from '../../../engine/world.ts'
import { newOperator } from '../operator.ts'

const inYear = (year: number, month = 5): number => Date.UTC(year, month, 1)
const account = accountIdOf(companyId, 'PRODUCTION')
const anEntry = (atMs: number): Entry => ({ accountId: account, atMs, events: [] })

/** An operator's service whose clock goes from year to year. */
const overYears = async () => {
  const { directory, commit, masterKey, operate, facts, company } = await newOperator()
  const ring = payerKeyRing(directory, masterKey)
  const turn = (nowMs: number): Promise<void> =>
    turnPayerKeys({ directory, commit, masterKey, randomBytes, realNow: () => nowMs })
  const keys = (): readonly string[] =>
    [...directory.payerKeys.values()].map(
      ({ number, year, sealedKey }) => `${number}: ${year}${sealedKey === null ? ' destroyed' : ''}`,
    )
  const set = (years: unknown) => operate('companies forget-payers', { id: company.id, years })
  return { directory, ring, turn, keys, set, facts, operate, company }
}

t.test('a company forgets payers only where an operator says so, and from then on', async (t) => {
  const { directory, ring, keys, set, facts, operate, company } = await overYears()
  t.match(await operate('companies get', { id: company.id }), { forgetPayersAfterYears: null })
  t.equal(ring.toSeal(anEntry(inYear(2026, 10))), null)
  for (const years of [1, 31, 2.5, 'never', '', null, undefined]) await t.rejects(set(years), /years/)
  t.same(facts.filter(({ type }) => type === 'PayerKeyMade').length, 0)

  t.match(await set('5'), { forgetPayersAfterYears: 5, note: /while it is on/ })
  t.same(keys(), ['1: 2026', '2: 2027'])
  const last = facts.findLastIndex(({ type }) => type === 'PayerKeyMade')
  const changed = facts.findIndex(
    (fact) => fact.type === 'CompanyChanged' && 'forgetPayersAfterYears' in fact.changes,
  )
  t.ok(last < changed, 'every node knows the keys before anything is sealed')
  t.match(facts[changed]!.audit, {
    action: 'companies forget-payers',
    actor: { kind: 'OPERATOR' },
    changes: [{ field: 'forgetPayersAfterYears', before: null, after: '5' }],
  })
  const { number, bytes } = ring.toSeal(anEntry(inYear(2026, 10)))!
  t.equal(number, 1)
  t.same(ring.toOpen(1), bytes)
  t.equal(ring.toSeal(anEntry(Date.UTC(2027, 0, 1) - 1))!.number, 1)
  t.equal(ring.toSeal(anEntry(Date.UTC(2027, 0, 1)))!.number, 2)
  t.equal(ring.toSeal({ ...anEntry(1), accountId: 'cmp_other/SANDBOX' as never }), null)
  t.throws(() => ring.toOpen(3), /does not know key 3/)

  await set(5)
  t.same(keys(), ['1: 2026', '2: 2027'], 'said again it changes nothing')
  t.match(await set('off'), { forgetPayersAfterYears: null, note: /nothing more is forgotten/ })
  t.equal(ring.toSeal(anEntry(inYear(2026, 10))), null)
  t.same(ring.toOpen(1), bytes, 'what was sealed is still read')
  t.equal(directory.companies.get(company.id)!.forgetPayersAfterYears, null)
})

t.test('keys are made a year ahead, and destroyed when all that they seal is old enough', async (t) => {
  const { ring, turn, keys, set, facts } = await overYears()
  await set(3)
  await turn(inYear(2027))
  await turn(inYear(2027))
  t.same(keys(), ['1: 2026', '2: 2027', '3: 2028'])
  await turn(inYear(2029))
  t.same(keys(), ['1: 2026', '2: 2027', '3: 2028', '4: 2029', '5: 2030'])
  await turn(Date.UTC(2030, 0, 1) - 1)
  t.notMatch(keys().join(), /destroyed/)
  await turn(Date.UTC(2030, 0, 1))
  t.match(keys()[0], '1: 2026 destroyed')
  t.notMatch(keys()[1], /destroyed/)
  t.equal(ring.toOpen(1), null)
  t.same(
    [...ring.forgotten()],
    [
      [accountIdOf(companyId, 'SANDBOX'), Date.UTC(2027, 0, 1)],
      [account, Date.UTC(2027, 0, 1)],
    ],
  )
  t.match(facts.find(({ type }) => type === 'PayerKeyDestroyed')!.audit, {
    action: 'payers forget',
    actor: { kind: 'CLOCK', id: null },
    object: { type: 'company', id: companyId },
    changes: [{ field: 'payersOfYear', before: '2026', after: null }],
  })
  await turn(inYear(2034))
  t.equal(
    keys().filter((key) => / destroyed/.test(key)).length,
    1,
    'a clock that jumps ahead destroys nothing',
  )
  await turn(inYear(2034, 6))
  t.same(
    keys().map((key) => / destroyed/.test(key)),
    [true, true, true, true, true, false, false, false],
  )

  const given = new WeakSet<PayerKey>()
  t.equal(ring.news(given).size, 8)
  t.equal(ring.news(given).size, 0)
  await turn(inYear(2035))
  t.same([...ring.news(given).keys()].sort(), [6, 9], 'one that is new, and one that was destroyed')
})

t.test('while it is off nothing is destroyed; on again it goes on with the key of the year', async (t) => {
  const { ring, turn, keys, set } = await overYears()
  await set(2)
  await set('off')
  await turn(inYear(2031))
  t.same(keys(), ['1: 2026', '2: 2027'])
  await set(4)
  t.same(keys(), ['1: 2026', '2: 2027'], 'the year is still the same on the clock of the command')
  t.equal(ring.toSeal(anEntry(inYear(2026, 11)))!.number, 1)
  await turn(inYear(2031))
  await turn(inYear(2031, 6))
  t.same(keys(), ['1: 2026 destroyed', '2: 2027', '3: 2031', '4: 2032'])
  t.equal(ring.toSeal(anEntry(inYear(2031)))!.number, 3)
})

t.test('two nodes that decide at once make each key once, and destroy it once', async (t) => {
  const directory = newDirectory()
  const masterKey = randomBytes(32)
  const facts: DirectoryFact[] = []
  const company = aCompany({ forgetPayersAfterYears: 2 })
  evolveDirectory(directory, { type: 'CompanyCreated', company })
  let last = Promise.resolve()
  const commit = (decide: () => DirectoryFact | null): Promise<void> => {
    last = last.then(async () => {
      // Refused at first, as if another record had come before.
      decide()
      await new Promise(setImmediate)
      const fact = decide()
      if (fact === null) return
      facts.push(fact)
      evolveDirectory(directory, fact)
    })
    return last
  }
  const turn = (nowMs: number): Promise<void> =>
    turnPayerKeys({ directory, commit, masterKey, randomBytes, realNow: () => nowMs })
  for (const year of [2026, 2028, 2029]) await Promise.all([turn(inYear(year)), turn(inYear(year))])
  t.same(
    facts.map((fact) =>
      fact.type === 'PayerKeyMade' ? [fact.key.number, fact.key.year] : 'number' in fact && [-fact.number],
    ),
    [[1, 2026], [2, 2027], [3, 2028], [4, 2029], [5, 2030], [-1]],
  )
})

t.test(
  'the log of the directory has no destroyed key, though the process was killed before that',
  async (t) => {
    const path = join(t.testdir(), 'directory')
    const masterKey = randomBytes(32)
    const open = () => {
      const log = openFactLog<DirectoryFact>(path)
      const directory = newDirectory()
      const sealed = sealedDirectory(log, masterKey)
      for (const fact of sealed.follow(async (fact) => void evolveDirectory(directory, fact)))
        evolveDirectory(directory, fact)
      return { log, sealed, directory }
    }
    const first = open()
    const company = aCompany({ forgetPayersAfterYears: 2 })
    await first.sealed.append(() => ({ type: 'CompanyCreated', company }))
    const turn = (nowMs: number, { sealed, directory }: ReturnType<typeof open>): Promise<void> =>
      turnPayerKeys({
        directory,
        commit: (decide) => sealed.append(decide),
        masterKey,
        randomBytes,
        realNow: () => nowMs,
      })
    await turn(inYear(2026), first)
    const sealedKeys = [...first.directory.payerKeys.values()].map(({ sealedKey }) => sealedKey!)
    for (const month of [5, 6]) await turn(inYear(2029, month), first)
    const raw = (): string => readFileSync(join(path, 'data.mdb'), 'latin1')
    t.ok(raw().includes(sealedKeys[0]!), 'destroyed, and not yet out of the log')
    await first.log.close()

    const second = open()
    t.equal(second.directory.payerKeys.get(1)!.sealedKey, null)
    await second.sealed.forgetErased()
    t.notOk(raw().includes(sealedKeys[0]!))
    t.ok(raw().includes(sealedKeys[1]!), 'the others are still there')
    const ring = payerKeyRing(second.directory, masterKey)
    t.equal(ring.toOpen(1), null)
    t.ok(ring.toOpen(2))
    await second.log.close()

    const third = open()
    t.same([...third.directory.payerKeys], [...second.directory.payerKeys])
    await third.log.close()
  },
)
