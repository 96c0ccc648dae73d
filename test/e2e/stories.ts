import type { Test } from 'tap'
import { prepareDirectory } from './prepared.ts'
import {
  type CompanyOptions,
  caller,
  newCompany,
  type Scope,
  type Service,
  send,
  type startService,
} from './service.ts'
import { type DirectMember, type MemberPlan, signInDirectly } from './sign-in-directly.ts'

/** A company of a story, with its people. */
export type CompanyPlan = CompanyOptions & {
  readonly people?: readonly (Omit<MemberPlan, 'companyId' | 'alsoIn'> & {
    /** Whether the person works for the other companies of the story, too. */
    readonly isInOthers?: boolean
  })[]
}

export type StoryPlan = CompanyPlan & { readonly others?: readonly CompanyPlan[] }

export type StoryCompany = Awaited<ReturnType<typeof newCompany>> & {
  readonly call: ReturnType<typeof caller>
  readonly members: readonly DirectMember[]
}

/** What a story is told with: its company, and the others that it wants. */
export type StoryWorld = StoryCompany & {
  readonly service: Service
  readonly others: readonly StoryCompany[]
}

/** The test of a file. */
type StoryTeller = {
  readonly teardown: (end: () => unknown) => unknown
  readonly test: (title: string, tell: (t: Test) => Promise<unknown>) => unknown
}

type Options = NonNullable<Parameters<typeof startService>[1]>

/**
 * One service for the stories of a file that neither stop it, nor need other settings, nor look at what belongs to all of it. Each story has
 * companies of its own, with their keys and people, which are made before the only start: no other story is in what it reads. A limit that
 * refuses a request fails the story that is being told.
 */
export const shareService = (t: StoryTeller, options: Options = {}) => {
  const plans: StoryPlan[] = []
  let begun: ReturnType<typeof startWithCompanies> | null = null
  let told: Test | null = null
  const begin = async () => {
    // The file goes on behind its first story: by then all have said what they need.
    await new Promise((resolve) => setImmediate(resolve))
    return startWithCompanies(scope, plans, options)
  }
  const scope = {
    teardown: (end: () => unknown): void => void t.teardown(end),
    fail: (message: string): void => {
      if (told === null) throw new Error(message)
      told.fail(message)
    },
  }
  return {
    story: (title: string, plan: StoryPlan, tell: (t: Test, world: StoryWorld) => Promise<unknown>): void => {
      const number = plans.push(plan) - 1
      void t.test(title, async (t) => {
        told = t
        begun ??= begin()
        const { service, worlds } = await begun
        const logBefore = service.log().length
        let isTold = false
        try {
          await tell(t, worlds[number]!)
          isTold = true
        } finally {
          if (isRunning(service)) await caughtUp(service, `/v1/end-of-story-${number}`)
          service.expectNoLimit()
          told = null
          if (!isTold || !t.passing())
            console.error(`the log of “${title}”:\n${service.log().slice(logBefore).slice(-3000)}`)
        }
      })
    },
    /** Ends the service, and says where its data is: for a last test, of what all stories have left. */
    stopped: async (): Promise<string> => {
      const { service } = await begun!
      await service.kill('SIGTERM')
      return service.dataDir
    },
  }
}

/** A service of its own for a story that stops it, or looks at what belongs to all of it. */
export const startForStory = async (t: Scope, plan: StoryPlan, options: Options = {}): Promise<StoryWorld> =>
  (await startWithCompanies(t, [plan], options)).worlds[0]!

const startWithCompanies = async (scope: Scope, plans: readonly StoryPlan[], options: Options) => {
  const prepared = await prepareDirectory(scope, { shards: Number(options.env?.WORKERS ?? 2) })
  const people: MemberPlan[] = []
  const stories = []
  for (const { others = [], ...own } of plans) {
    const companies = []
    for (const plan of [own, ...others]) companies.push({ ...(await newCompany(prepared, plan)), plan })
    const ids: string[] = companies.map(({ company }) => company.id)
    for (const { company, plan } of companies)
      for (const { isInOthers = false, ...person } of plan.people ?? [])
        people.push({
          // As if given for each story anew, however long those before it take.
          usedMsAgo: -anHourMs,
          factorMsAgo: -anHourMs,
          ...person,
          companyId: company.id,
          alsoIn: isInOthers ? ids.filter((id) => id !== company.id) : [],
        })
    stories.push(companies)
  }
  const { service, members } = await signInDirectly(scope, prepared, people, options)
  const worlds = stories.map((companies): StoryWorld => {
    const [own, ...others] = companies.map(
      ({ company, key }): StoryCompany => ({
        company,
        key,
        call: caller(service.origin, key.secret),
        members: members.filter((_, n) => people[n]!.companyId === company.id),
      }),
    )
    return { service, ...own!, others }
  })
  return { service, worlds }
}

const anHourMs = 3_600_000

const isRunning = ({ process: { exitCode, signalCode } }: Service): boolean =>
  exitCode === null && signalCode === null

/** Until the log of what was answered so far is read, which a request of its own ends. */
const caughtUp = async (service: Service, path: string): Promise<void> => {
  await send(`${service.origin}${path}`)
  await service.logged(path)
}
