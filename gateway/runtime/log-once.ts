import type { WorkerBase } from './worker-base.ts'

/** Logs browsers' reports of violated policies. Strangers can send reports: the log gets one a second at most. */
export const logOncePerSecond = (log: WorkerBase['log']): ((report: string) => void) => {
  let loggedAtMs = 0
  return (report) => {
    if (Date.now() - loggedAtMs < 1000) return
    loggedAtMs = Date.now()
    log.warn({ report }, 'a page broke its content security policy')
  }
}
