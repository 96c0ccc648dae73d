import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { DirectoryFact } from '../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../engine/companies/evolve.ts'
import { yearOf } from '../../engine/companies/payer-key.ts'
import { forgottenCustomer } from '../../engine/shared/customer.ts'
import { makePayerKeys } from '../../gateway/operations/account/payer-keys.ts'
import { payerKeyRing } from '../../gateway/runtime/payer-key-ring.ts'
import { entryLayoutWith } from '../../persistence/codec/entry.ts'
import { flushedUpTo, openJournal } from '../../persistence/journal/journal.ts'
import { readSnapshot } from '../../persistence/verify/snapshot.ts'
import { aCompany } from '../engine/companies/entries.ts'
import { aCharge, aPayment, companyId, opened } from '../engine/world.ts'
import { type Prepared, prepareDirectory } from './prepared.ts'
import { caller, newDataDir, oneWorker, posted, startService, until } from './service.ts'

const main = join(import.meta.dirname, '../../gateway/program/main.js')

const zacarias = { ...forgottenCustomer, name: 'Zacarias Quintela', email: 'zquintela@example.com' }
const yolanda = { name: 'Yolanda Xavier', email: 'yolanda@example.com', document: '123.456.789-09' }

/** Three years ago: two years after that year its key may be destroyed, whatever day it is today. */
const oldYear = yearOf(Date.now()) - 3

/** The files below a folder that contain a text, in any case. */
const filesWith = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'latin1').toLowerCase().includes(text.toLowerCase()))

/** Adds a company that forgets payers after two years, and what was recorded of it in that year. */
const addOldCompany = async ({ append, masterKey, dataDir }: Prepared) => {
  const directory = newDirectory()
  const learn = (fact: DirectoryFact): void => {
    evolveDirectory(directory, fact)
    append(fact)
  }
  learn({
    type: 'CompanyCreated',
    company: aCompany({ id: companyId, forgetPayersAfterYears: 2, revision: 2 }),
  })
  const commit = async (decide: () => DirectoryFact | null): Promise<void> => learn(decide()!)
  const realNow = (): number => Date.UTC(oldYear, 5, 1)
  // As the service has made them since: without that of this year no clock is believed.
  for (const year of [oldYear, oldYear + 1, oldYear + 2])
    await makePayerKeys(
      { directory, commit, masterKey, randomBytes, realNow: () => Date.UTC(year, 5, 1) },
      { id: companyId },
    )
  const world = await opened()
  const charge = aCharge({ customer: zacarias })
  await world.accepted(charge)
  await world.accepted(aPayment(charge.transactionId))
  const layout = entryLayoutWith(payerKeyRing(directory, masterKey))
  const journal = openJournal(join(dataDir, 'shards/00/journal'), layout, {
    commits: 0,
    entries: 0,
    bytes: 0,
  })
  for (const { record } of world.journal.replay(0)) journal.append({ ...record, atMs: realNow() })
  await flushedUpTo(journal, journal.appended())
  await journal.close()
  return { transactionId: charge.transactionId, sealedKey: directory.payerKeys.get(1)!.sealedKey! }
}

/** Whether a shard's snapshot says that who is forgotten is gone from it. */
const isGone = (shardPath: string): Promise<boolean> =>
  readSnapshot(shardPath, async ({ store }) =>
    [...store.tableSnapshots()].some(
      ({ head }) => head.of === 'table' && head.payersForgottenMs !== undefined,
    ),
  )

const verified = (path: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, [main, 'verify', path], (_, output, errors) => resolve(output + errors))
  })

t.test('payers of a year are forgotten when a company has decided so, and nothing else', async (t) => {
  const prepared = await prepareDirectory(t)
  const { dataDir } = prepared
  const { transactionId, sealedKey } = await addOldCompany(prepared)
  const scopes = 'charges.create,charges.read,transactions.read,transactions.export,balance.read'
  const key = await prepared.operate('keys create', { company: companyId, environment: 'sandbox', scopes })
  await prepared.close()

  const env = { ...oneWorker }
  const service = await startService(t, { dataDir, env })
  const call = caller(service.origin, key.secret)
  const search = async (q: string): Promise<readonly string[]> =>
    (await call('GET', `/v1/transactions?q=${encodeURIComponent(q)}`)).body.data.map(
      ({ id }: { id: string }) => id,
    )
  await until(async () => (await search('quintela')).length === 0)
  const old = (await call('GET', `/v1/transactions/${transactionId}`)).body
  t.match(old, {
    customer: null,
    status: 'APPROVED',
    amount: '1990',
    pix: { payer: { name: '', document: null } },
  })
  const { body: received } = await call('GET', '/v1/pix/received')
  t.match(received.data, [{ transactionId, description: null, payer: { name: '', document: null } }])
  t.strictSame(await search('zquintela@example.com'), [])
  t.equal((await call('GET', '/v1/pix/charges')).status, 200)
  // Once it answers, the accounts know.
  t.match(await service.operate('companies forget-payers', { id: companyId, years: 2 }), {
    forgetPayersAfterYears: 2,
    note: /while it is on/,
  })

  const charge = await posted(call, '/v1/pix/charges', { amount: 700, customer: yolanda })
  t.match(charge, { customer: { name: 'Yolanda Xavier' } })
  t.strictSame(
    (await call('GET', '/v1/customers?document=12345678909')).body.data,
    [],
    'no register keeps a payer',
  )
  t.strictSame(await search('yolanda'), [charge.id])
  const csv = (await call('GET', '/v1/transactions/export')).body
  t.match(csv, 'Yolanda Xavier', 'the thread that writes files has the keys')
  t.notMatch(csv, /Quintela/i)
  t.match(await service.operate('archive run', { olderThanDays: 0 }), { object: 'archive' })
  t.match((await call('GET', `/v1/transactions/${transactionId}`)).body, { customer: null })
  t.strictSame(filesWith(join(dataDir, 'directory'), sealedKey), [], 'the key is gone from the disk')
  await until(() => isGone(join(dataDir, 'shards/00')))
  const backup = join(newDataDir(t), 'backup')
  t.match(await service.operate('backup', { path: backup }), { object: 'backup' })
  await service.kill('SIGTERM')
  t.match(await verified(dataDir), /sound/)
  for (const name of ['Zacarias', 'zquintela', 'Yolanda', 'yolanda@'])
    for (const folder of ['shards/00/journal', 'shards/00/archive', 'directory', 'sessions'])
      t.strictSame(filesWith(join(dataDir, folder), name), [], `${name} in ${folder}`)

  t.strictSame(filesWith(dataDir, 'quintela'), [], 'nor in unused pages of a snapshot')

  rmSync(join(dataDir, 'shards/00/state'), { recursive: true })
  const next = await startService(t, { dataDir, env })
  const again = caller(next.origin, key.secret)
  t.match((await again('GET', `/v1/transactions/${transactionId}`)).body, { customer: null })
  t.match((await again('GET', `/v1/transactions/${charge.id}`)).body, {
    customer: { name: 'Yolanda Xavier' },
  })
  t.match((await again('GET', '/v1/transactions?q=yolanda')).body.data, [{ id: charge.id }])
  t.strictSame((await again('GET', '/v1/transactions?q=quintela')).body.data, [])
  await next.kill('SIGTERM')
  t.strictSame(filesWith(dataDir, 'quintela'), [])
  for (const path of [dataDir, backup]) t.match(await verified(path), /sound/)
})
