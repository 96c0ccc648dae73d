import type { CpuTime } from './processes.ts'

/** A company with a Sandbox key. A run makes companies once; its peers get the same ones. */
export type Company = { readonly id: string; readonly secret: string }

/** Group commits and entries since the start. */
export type Journal = { readonly commits: number; readonly entries: number }

/** Something that runs and can be loaded: the service or a peer, fresh for every measurement. */
export type Target = {
  readonly origin: string
  /** Null for a peer. */
  readonly journal: () => Promise<Journal | null>
  readonly residentBytes: () => number
  readonly cpuTime: () => CpuTime
  readonly stop: () => Promise<void>
}
