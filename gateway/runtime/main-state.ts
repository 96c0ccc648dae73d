import type { Logger } from 'pino'
import type { Directory, DirectoryFact } from '../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../engine/companies/evolve.ts'
import { evolveSessions, newSessions } from '../../engine/people/evolve.ts'
import type { SessionFact, Sessions } from '../../engine/people/session.ts'
import type { Settings } from '../base/settings.ts'
import type { CommitBy } from '../identity/asked.ts'
import { openPersonalTexts, type PersonalTexts, sealedKeyIn } from '../identity/personal-texts.ts'
import { type ActTrail, newActTrail } from '../trail/act-trail.ts'
import { withAudit } from '../trail/audit-draft.ts'
import { type AuditTrail, newAuditTrail } from '../trail/audit-trail.ts'
import { type SealedDirectory, sealedDirectory } from './sealed-directory.ts'
import { orUnavailable, type Storage } from './storage.ts'
import type { WorkerPool } from './worker-pool.ts'

/** The main thread's state of companies, keys and people, and the functions that record changes of it. */
export type MainState = {
  readonly settings: Settings
  readonly log: Logger
  readonly storage: Storage
  readonly directory: Directory
  /** The facts of the directory so far. */
  readonly directoryEvents: readonly DirectoryFact[]
  readonly auditTrail: AuditTrail
  readonly commit: CommitBy
  readonly sessions: Sessions
  /** The facts about sessions so far. */
  readonly sessionFacts: readonly SessionFact[]
  readonly actTrail: ActTrail
  readonly personal: PersonalTexts
}

/** Reads the stored facts and follows both logs; `ask` passes later facts to all workers. */
export const openMainState = async (
  settings: Settings,
  log: Logger,
  storage: Storage,
  ask: WorkerPool['ask'],
): Promise<MainState> => {
  const { masterKey } = storage
  const directory = newDirectory()
  const personal = openPersonalTexts(masterKey, sealedKeyIn(directory))
  const auditTrail = newAuditTrail({ directory, personal })
  const directoryLog = sealedDirectory(storage.directory, masterKey)
  const directoryEvents = followDirectory(directoryLog, directory, auditTrail, ask)
  // An earlier process may have been killed before it had removed the texts of erased people, or destroyed keys.
  await directoryLog.forgetErased()
  const sessions = newSessions()
  const actTrail = newActTrail()
  const sessionFacts = followSessions(storage, sessions, actTrail, ask)
  const commit: CommitBy = async (decide, by) => {
    let fact: DirectoryFact | null = null
    const decideWithAudit = (): DirectoryFact | null => {
      fact = decide()
      return fact && withAudit({ directory, personal }, fact, by, Date.now())
    }
    await orUnavailable(directoryLog.append(decideWithAudit))
    if (destroysKeys.has((fact as DirectoryFact | null)?.type))
      await orUnavailable(directoryLog.forgetErased())
    if (by !== undefined && fact !== null) auditTrail.report()
  }
  return {
    ...{ settings, log, storage, directory, directoryEvents, auditTrail, commit },
    ...{ sessions, sessionFacts, actTrail, personal },
  }
}

/** The facts after which the log is written anew, without what they destroy. */
const destroysKeys: ReadonlySet<DirectoryFact['type'] | undefined> = new Set([
  'PersonErased',
  'PayerKeyDestroyed',
])

const followDirectory = (
  log: SealedDirectory,
  directory: Directory,
  auditTrail: AuditTrail,
  ask: WorkerPool['ask'],
): readonly DirectoryFact[] => {
  let facts = 0
  const takeIn = (event: DirectoryFact): void => {
    evolveDirectory(directory, event)
    auditTrail.apply(event, ++facts)
  }
  const stored = log.follow(async (event) => {
    takeIn(event)
    await ask((ack) => ({ type: 'directory', event, ack }))
  })
  stored.forEach(takeIn)
  return stored
}

const followSessions = (
  { sessions: log }: Storage,
  sessions: Sessions,
  actTrail: ActTrail,
  ask: WorkerPool['ask'],
): readonly SessionFact[] => {
  const takeIn = (facts: readonly SessionFact[]): void => {
    facts.reduce(evolveSessions, sessions)
    facts.forEach(actTrail.apply)
  }
  const stored = log
    .follow(async (facts) => {
      takeIn(facts)
      await ask((ack) => ({ type: 'sessions', facts, ack }))
    })
    .flat()
  takeIn(stored)
  return stored
}
