type Undo = () => Promise<void> | void

/** Work to undo at the end of the bench, however it ends. */
export type Cleanup = {
  /** Runs `undo` once: when the returned function is called, or at the end. Throws when the end has begun. */
  readonly defer: (undo: Undo) => () => Promise<void>
  /** Undoes what is left, the latest first. */
  readonly run: () => Promise<void>
}

export const newCleanup = (): Cleanup => {
  const undos: (() => Promise<void>)[] = []
  let ended: Promise<void> | null = null

  const undoAll = async (): Promise<void> => {
    for (const undo of [...undos].reverse()) {
      await undo().catch((error: unknown) => console.error('bench: could not clean up:', error))
    }
  }
  return {
    defer: (undo) => {
      if (ended !== null) throw new Error('the bench is ending')
      let done: Promise<void> | null = null
      const once = (): Promise<void> => {
        done ??= Promise.resolve(undo()).finally(() => undos.splice(undos.indexOf(once), 1))
        return done
      }
      undos.push(once)
      return once
    },
    run: () => {
      ended ??= undoAll()
      return ended
    },
  }
}
