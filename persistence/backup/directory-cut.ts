import {
  accountOfConnection,
  type CompanyConnection,
  type CompanyConnections,
} from '../../engine/companies/connection.ts'
import type { Directory, DirectoryFact } from '../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../engine/companies/evolve.ts'
import { areOlder } from '../../engine/companies/outdated-connection.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { type AccountId, accountIdOf, type CompanyId, companyIdOf } from '../../engine/shared/ids.ts'
import { readRecord, recordText } from '../cluster/directory-record.ts'
import { unpackFromBatch } from '../codec/codec.ts'
import { json, plainVersion, text } from '../codec/layout.ts'
import type { Manifest } from '../home/manifest.ts'
import { flushedUpTo, openJournal } from '../journal/journal.ts'
import type { BackupStretch } from './log-source.ts'
import { BackupRefusal } from './refusal.ts'
import type { RestorePoint, ShardCut } from './restore-point.ts'

/**
 * Where to cut the directory; null to keep all of it. The cut lies behind the moment if entries before the moment
 * refer to later companies, connections or endpoints: nodes' clocks differ. Throws `BackupRefusal` when nothing existed yet.
 */
export const directoryCut = (
  until: RestorePoint,
  { home }: Manifest,
  stretches: readonly BackupStretch[],
  cuts: readonly (ShardCut | null)[],
): DirectoryCut | null => {
  if (until.kind !== 'TIME') return null
  const facts = stretches.flatMap((stretch) => [...factsOf(stretch, home !== null)])
  const later = facts.findIndex((fact) => (timeOf(fact) ?? 0) > until.atMs)
  if (later === -1) return null
  if (facts.slice(0, later).every((fact) => timeOf(fact) === null))
    throw new BackupRefusal(
      `there was nothing yet at that time: the first company is of ${isoInstant(timeOf(facts[later]!)!)}`,
    )
  const directory = facts.slice(0, later).reduce(evolveDirectory, newDirectory())
  let entries = later
  while (entries < facts.length && !knowsAll(directory, cuts)) evolveDirectory(directory, facts[entries++]!)
  return { entries, connectionsLater: facts.reduce(evolveDirectory, newDirectory()).connections }
}

/** Where the directory is cut, and the connections that the backups know of behind that. */
export type DirectoryCut = { readonly entries: number; readonly connectionsLater: CompanyConnections }

const factsOf = function* (
  { source, after, end }: BackupStretch,
  isInCluster: boolean,
): Iterable<DirectoryFact> {
  for (const { first, last, bytes } of source.batchesAfter(after)) {
    for (let entry = first; entry <= last; entry++)
      yield isInCluster
        ? readRecord(unpackFromBatch(text(), bytes, entry - first)).fact
        : unpackFromBatch(json<DirectoryFact>(), bytes, entry - first)
    if (last >= end.entries) return
  }
}

/** When a fact was decided; null for those that follow from others. */
const timeOf = (fact: DirectoryFact): number | null => {
  switch (fact.type) {
    case 'CompanyCreated':
      return fact.company.createdAtMs
    case 'KeyCreated':
    case 'KeyRolled':
      return fact.key.createdAtMs
    case 'EndpointCreated':
      return fact.endpoint.createdAtMs
    case 'ConnectionCreated':
      return fact.connection.createdAtMs
    case 'AccountsOpened':
    case 'AuditsTold':
    case 'ClusterFormed':
    case 'ConnectionApplied':
    case 'CopiesPlaced':
    case 'ShardBalanced':
    case 'ShardPinned':
      return null
    default:
      return fact.atMs
  }
}

/** Whether the directory has every endpoint, and every revision of a company or connection, that the shards' entries refer to. */
const knowsAll = (
  { companies, endpoints, connections }: Directory,
  cuts: readonly (ShardCut | null)[],
): boolean =>
  cuts.every(
    (cut) =>
      cut === null ||
      ([...cut.revisions].every(
        ([account, revision]) => (companies.get(companyIdOf(account))?.revision ?? 0) >= revision,
      ) &&
        [...cut.endpoints].every((endpoint) => endpoints.has(endpoint)) &&
        [...cut.connections].every(
          ([id, revision]) => (connections.byId.get(id)?.revision ?? 0) >= revision,
        )),
  )

/**
 * Adds facts to a restored directory that revoke its references to entries behind a cut: that accounts are open
 * and have connections, and which events came before an endpoint. Connections that were stopped behind the cut of the directory, or got other
 * credentials there, wait for a person. Resolves to the connections as the directory has them then.
 */
export const mendDirectory = async (
  path: string,
  { home }: Manifest,
  cut: DirectoryCut | null,
  cuts: readonly (ShardCut | null)[],
  shardOf: (accountId: AccountId) => number,
  newRecordId: () => string,
): Promise<readonly CompanyConnection[]> => {
  const connectionsAfter = (facts: readonly DirectoryFact[]): readonly CompanyConnection[] => [
    ...facts.reduce(evolveDirectory, newDirectory()).connections.byId.values(),
  ]
  if (home === null) {
    const journal = openJournal<DirectoryFact>(path, json(), noMetrics)
    const facts = [...journal.replay(0)].map(({ record }) => record)
    const corrections = correctionsOf(facts, cut, cuts, shardOf)
    for (const fact of corrections) await flushedUpTo(journal, journal.append(fact))
    await journal.close()
    return connectionsAfter([...facts, ...corrections])
  }
  const journal = openJournal<string>(path, text(), noMetrics, () => plainVersion)
  const texts = [...journal.replay(0)].map(({ record }) => record)
  const facts = texts.map((text) => readRecord(text).fact)
  const corrections = correctionsOf(facts, cut, cuts, shardOf)
  let last = texts.at(-1) ?? null
  for (const fact of corrections) {
    last = recordText({ id: newRecordId(), node: home.node, fact }, last)
    await flushedUpTo(journal, journal.append(last))
  }
  await journal.close()
  return connectionsAfter([...facts, ...corrections])
}

const noMetrics = { commits: 0, entries: 0, bytes: 0 }

const correctionsOf = (
  facts: readonly DirectoryFact[],
  directoryCut: DirectoryCut | null,
  cuts: readonly (ShardCut | null)[],
  shardOf: (accountId: AccountId) => number,
): readonly DirectoryFact[] => {
  if (cuts.every((cut) => cut === null)) return []
  const { endpoints, opened, connections } = facts.reduce(evolveDirectory, newDirectory())
  const corrections: DirectoryFact[] = []
  for (const { id, companyId, environment, hearsAfter, updatedAtMs } of endpoints.values()) {
    const cut = cuts[shardOf(accountIdOf(companyId, environment))]
    if (cut != null && hearsAfter !== null && hearsAfter > cut.entries)
      corrections.push({ type: 'EndpointEnabled', id, atMs: updatedAtMs, hearsAfter: cut.entries })
  }
  const revisionIn = (companyId: CompanyId, known: number): number =>
    Math.min(
      ...(['SANDBOX', 'PRODUCTION'] as const).map((environment) => {
        const accountId = accountIdOf(companyId, environment)
        const cut = cuts[shardOf(accountId)]
        return cut == null ? known : (cut.revisions.get(accountId) ?? 0)
      }),
    )
  for (const [companyId, known] of opened) {
    const revision = revisionIn(companyId, known)
    if (revision < known) corrections.push({ type: 'AccountsOpened', companyId, revision })
  }
  for (const connection of connections.byId.values()) {
    const { id, state, revision, updatedAtMs: atMs } = connection
    const later = directoryCut?.connectionsLater.byId.get(id)
    const isOlder = later !== undefined && areOlder(connection, later)
    // Whether it may take money once more is for a person to say.
    if (
      later !== undefined &&
      ((state === 'ACTIVE' && later.state !== 'ACTIVE') || (isOlder && takesCredentials(state)))
    )
      corrections.push({
        type: 'ConnectionOutdated',
        id,
        state: 'SUSPENDED',
        knownRevision: revision,
        ...(isOlder && { areCredentialsOlder: true }),
        atMs,
      })
    const cut = cuts[shardOf(accountOfConnection(connection))]
    const known = cut?.connections.get(id) ?? 0
    if (cut != null && known < (connections.applied.get(id) ?? 0))
      corrections.push({ type: 'ConnectionApplied', id, revision: known, atMs })
  }
  return corrections
}

const takesCredentials = (state: CompanyConnection['state']): boolean =>
  state === 'ACTIVE' || state === 'SUSPENDED'
