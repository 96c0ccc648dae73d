import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useGet } from './query.ts'
import type { Place } from './router.ts'
import { newStore, useStore } from './store.ts'

/** The clock of the page's place; null until the first has been read. */
const clock = newStore<{ readonly place: string; readonly offsetMs: number } | null>(null)

/** How far the company's clock is from this machine's: the Sandbox's runs ahead. */
export const clockOffsetMs = (): number => clock.get()?.offsetMs ?? 0

/** Now, by the company's clock. */
export const clockMs = (): number => Date.now() + clockOffsetMs()

/** Lets a component render again when the company's clock is moved. */
export const useClock = (): void => {
  useStore(clock)
}

/** Now by the company's clock; the component renders again every second. */
export const useNow = (): number => {
  useClock()
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return clockMs()
}

/**
 * Reads the clock of a place, and returns whether it is known: before that, a page would count down to the wrong
 * time and ask for the wrong days. Where the Sandbox does not respond, this machine's clock is used.
 */
export const useClockOf = ({ companyId, environment }: Place): boolean => {
  const isSandbox = environment === 'SANDBOX'
  const { data, problem, isStale } = useGet(isSandbox ? '/v1/sandbox/clock' : null, { isBackground: true })
  const place = `${companyId} ${environment}`
  const said = isStale ? null : (data?.offsetSeconds ?? null)
  const seconds = isSandbox && problem === null ? said : (said ?? 0)
  useLayoutEffect(() => {
    if (seconds !== null) clock.set({ place, offsetMs: seconds * 1000 })
  }, [place, seconds])
  return useStore(clock)?.place === place
}
