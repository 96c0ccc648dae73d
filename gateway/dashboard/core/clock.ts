import { useEffect, useState } from 'preact/hooks'
import { newStore, useStore } from './store.ts'

/** How far the company's clock is from this machine's: the Sandbox's runs ahead. */
export const clockOffsetMs = newStore(0)

/** Now, by the company's clock. */
export const now = (): number => Date.now() + clockOffsetMs.get()

/** Now by the company's clock; the component renders again every second. */
export const useNow = (): number => {
  useStore(clockOffsetMs)
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return now()
}
