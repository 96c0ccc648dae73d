import type { Request } from '../kernel/command.ts'
import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { Standing } from '../people/standing.ts'
import type { ChangeId, PersonId } from '../shared/ids.ts'
import type { ControlChange } from './control-change.ts'
import type { Controls } from './controls.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly controls: ControlCommand
  }
  interface FolderQueries {
    readonly controls: ListControlChanges
  }
  interface Answers {
    readonly ListControlChanges: Listed<ControlChange>
  }
  interface FolderRefusals {
    readonly controls: ControlRefusal
  }
}

/** Sets some of the approval policy and the limits. Stricter values count at once, looser ones a day after they are approved. */
export type SetControls = Request<'SetControls'> & {
  readonly wanted: Partial<Controls>
  /** The id of the change, if there are looser ones. */
  readonly idOfChange: ChangeId
  /** Whether another person could approve it. */
  readonly hasApprover: boolean
}

export type DecideControlChange = Request<'DecideControlChange'> & {
  readonly changeId: ChangeId
  readonly isApproved: boolean
  /** The standing of the person who decides, for managing limits. */
  readonly standing: Standing | null
}

/** Ends the pending change of a person who may no longer manage limits, unless another person has approved it. */
export type DropControlChangesOf = Request<'DropControlChangesOf'> & { readonly personId: PersonId }

export type ApplyControlChange = Request<'ApplyControlChange'> & { readonly changeId: ChangeId }

export type ControlCommand = SetControls | DecideControlChange | DropControlChangesOf | ApplyControlChange

/** All changes of the approval policy and the limits, newest first. */
export type ListControlChanges = Question<'ListControlChanges'> & Paging

export type ControlRefusal =
  /** Another change has not come into effect yet. */
  | { readonly reason: 'CHANGE_PENDING'; readonly changeId: ChangeId }
  | { readonly reason: 'OWN_REQUEST' }
  /** The role with which a person approves came after the request, from one person alone. */
  | { readonly reason: 'APPROVER_TOO_NEW' }
  /** Each person decides once. */
  | { readonly reason: 'ALREADY_DECIDED' }
