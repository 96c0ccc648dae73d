import type { Initiator } from '../shared/initiator.ts'

/**
 * What the folders above the kernel register with it. Each adds its own members by declaration merging (`declare module`), so that
 * the unions below are complete wherever they are used and the kernel imports nothing from above. `engine/registry.ts` holds the
 * values; a kind, command or question that is declared here and missing there does not compile.
 */

/** The state of each kind of actor. Ids are unique over all kinds. */
export interface ActorStates {}
/** The facts of each kind of actor. */
export interface ActorFacts {}
/** What those hear who react to a change of an actor, by its kind. */
export interface ActorChanges {}
/** The commands of each folder. Plain data: they travel between threads and nodes. */
export interface FolderCommands {}
/** The questions of each folder. Plain data, too. */
export interface FolderQueries {}
/** The answer to each question; null where what was asked for is not there. */
export interface Answers {}
/** Why the business says no, by folder. The gateway gives each reason one status and code. */
export interface FolderRefusals {}

export type ActorKind = keyof ActorStates
export type ActorState = ActorStates[ActorKind]
/** The kinds that an account has many of: they are listed, newest first. */
export type ListedKind = Exclude<ActorKind, 'account'>
/** Every fact that a shard's journal can hold. */
export type Event = ActorFacts[keyof ActorFacts] | TimerParked
export type Command = FolderCommands[keyof FolderCommands]
export type Query = FolderQueries[keyof FolderQueries]
export type Rejection = FolderRefusals[keyof FolderRefusals]

/**
 * Due work was refused, or changed nothing, or could not be decided, not even after a recovery. That is an error of ours, and
 * would be one again at every try, also after a restart: so nothing is due at this actor any more until something else
 * changes it. `payments verify` tells of it.
 */
export type TimerParked = { readonly [Kind in ActorKind]: ParkedTimer<Kind> }[ActorKind]

type ParkedTimer<Kind extends ActorKind> = {
  readonly actor: Kind
  readonly type: 'TimerParked'
  readonly id: ActorStates[Kind]['id']
  readonly by: Initiator
  readonly atMs: number
  /** What was due. */
  readonly due: Command['type']
}
