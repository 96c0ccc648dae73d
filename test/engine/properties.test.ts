import t from 'tap'
import { regressions } from './properties/regressions.ts'
import { tellStory } from './properties/story.ts'

for (const { title, environment = 'SANDBOX', day = 0, steps } of regressions) {
  t.test(title, async (t) => {
    await t.resolves(tellStory({ environment, day, steps }))
  })
}
