// The figures of solutions, in the order of the report's list.
const valueOf = (solution, figure) => numeric(solution.figures[figure]);

const objectives = data.figures.map((_, place) => place).filter((p) => data.figures[p].objective);

const summary = (solution) =>
  objectives.map((p) => `${data.figures[p].name} ${written(data.figures[p], solution.figures[p])}`)
    .join(', ');
