// The metrics of solutions, in the order of the report's list.
const valueOf = (solution, metric) => numeric(solution.metrics[metric]);

const objectives = data.metrics.map((_, place) => place).filter((p) => data.metrics[p].objective);
// One of all solutions that have the same classes.
const listed = data.solutions.filter((s) => s.listed);

const summary = (solution) =>
  objectives.map((p) => `${data.metrics[p].name} ${written(data.metrics[p], solution.metrics[p])}`)
    .join(', ');
