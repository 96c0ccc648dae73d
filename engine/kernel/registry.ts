import type { Initiator } from '../shared/initiator.ts'

/**
 * The types that the folders above the kernel register. Each adds its own members by declaration merging (`declare
 * module`), so the unions below are complete everywhere and the kernel imports nothing from above. `engine/registry.ts`
 * holds the values; a kind, command or query declared here and missing there does not compile.
 */

/** The state of each kind of actor. Ids are unique over all kinds. */
export interface ActorStates {}
/** The facts of each kind of actor. */
export interface ActorFacts {}
/** The changes that reactions receive, by kind of actor. */
export interface ActorChanges {}
/** The commands of each folder. Plain data: they travel between threads and nodes. */
export interface FolderCommands {}
/** The queries of each folder. Plain data, too. */
export interface FolderQueries {}
/** The answer to each query; null when the object does not exist. */
export interface Answers {}
/** Why the business says no, by folder. The gateway gives each reason one status and code. */
export interface FolderRefusals {}

export type ActorKind = keyof ActorStates
export type ActorState = ActorStates[ActorKind]
/** The kinds that an account has many of. They can be listed, newest first. */
export type ListedKind = Exclude<ActorKind, 'account'>
/** Every fact that a shard's journal can hold. */
export type AnyFact = ActorFacts[keyof ActorFacts] | TimerParked
export type Command = FolderCommands[keyof FolderCommands]
export type Query = FolderQueries[keyof FolderQueries]
export type Rejection = FolderRefusals[keyof FolderRefusals]

/**
 * Due work was refused, changed nothing, or could not be decided even after a recovery. That is a bug on our side and
 * would repeat at every try and every start. So the actor's timers stop until something else changes it, and `payments
 * verify` reports it.
 */
export type TimerParked = { readonly [Kind in ActorKind]: ParkedTimer<Kind> }[ActorKind]

type ParkedTimer<Kind extends ActorKind> = {
  readonly actor: Kind
  readonly type: 'TimerParked'
  readonly id: ActorStates[Kind]['id']
  readonly by: Initiator
  readonly atMs: number
  /** The command that was due. */
  readonly due: Command['type']
}
