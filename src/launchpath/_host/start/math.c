/* Functions of mathematics that HIP's and CUDA's headers have for host code too, and glibc lacks or has from some version
   on. CUDA's Math API has what they compute; those of single precision round the result of double precision. */
#include <math.h>

#define OF_FLOAT(name) \
    float name##f(float x) { return (float)name(x); }

double rsqrt(double x) { return 1 / sqrt(x); }
OF_FLOAT(rsqrt)

double rcbrt(double x) { return 1 / cbrt(x); }
OF_FLOAT(rcbrt)

/* The argument is reduced first: x is a multiple of a half turn plus at most a quarter. */
double sinpi(double x) {
    double rest = fmod(x, 2);
    if (rest == trunc(rest)) return copysign(0, x) * (isfinite(x) ? 1 : NAN);
    if (rest > 1) rest -= 2;
    if (rest < -1) rest += 2;
    if (rest > 0.5) rest = 1 - rest;
    if (rest < -0.5) rest = -1 - rest;
    return fabs(rest) <= 0.25 ? sin(M_PI * rest) : copysign(cos(M_PI * (0.5 - fabs(rest))), rest);
}
OF_FLOAT(sinpi)

double cospi(double x) {
    double rest = fabs(fmod(x, 2));
    if (rest > 1) rest = 2 - rest;
    if (rest == 0.5) return 0;
    return rest <= 0.25 ? cos(M_PI * rest) : rest < 0.75 ? sin(M_PI * (0.5 - rest)) : -cos(M_PI * (1 - rest));
}
OF_FLOAT(cospi)

double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
OF_FLOAT(normcdf)

/* exp(x * x) * erfc(x). For a large x, where the first overflows and the second is 0, by the continued fraction of erfc
   (Abramowitz and Stegun, 7.1.14). */
double erfcx(double x) {
    double fraction = 0;
    int k;
    if (x < 10) return exp(x * x) * erfc(x);
    for (k = 60; k > 0; --k) fraction = k * 0.5 / (x + fraction);
    return 1 / ((x + fraction) * sqrt(M_PI));
}
OF_FLOAT(erfcx)

/* The inverse of erfc: a start by the approximation of Giles ("Approximating the erfinv function", 2010), then Halley's
   steps. */
static double start_of_inverse(double w) {
    static const double centre[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                                    -0.00125372503, -0.00417768164, 0.246640727, 1.50140941};
    static const double tail[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                                  -0.0076224613, 0.00943887047, 1.00167406, 2.83297682};
    const double *terms = w < 5 ? centre : tail;
    double at = w < 5 ? w - 2.5 : sqrt(w) - 3, p = terms[0];
    int i;
    for (i = 1; i < 9; ++i) p = terms[i] + p * at;
    return p;
}

double erfcinv(double y) {
    double x, error;
    int step;
    if (!(y >= 0 && y <= 2)) return NAN;
    if (y == 0 || y == 2) return y == 0 ? INFINITY : -INFINITY;
    if (y > 1) return -erfcinv(2 - y);
    /* For a small y erfc(x) is nearly exp(-x * x) / (x * sqrt(pi)). */
    x = y > 1e-6 ? start_of_inverse(-log(y * (2 - y))) * (1 - y) : sqrt(-log(y) - 0.5 * log(-M_PI * log(y)));
    for (step = 0; step < 4; ++step) {
        error = (erfc(x) - y) / (-2 / sqrt(M_PI) * exp(-x * x));
        x -= error / (1 + x * error);
    }
    return x;
}
OF_FLOAT(erfcinv)

double erfinv(double y) {
    double x, error;
    int step;
    if (!(fabs(y) <= 1)) return NAN;
    if (fabs(y) > 0.5) return copysign(erfcinv(1 - fabs(y)), y);
    x = start_of_inverse(-log((1 - y) * (1 + y))) * y;
    for (step = 0; step < 3; ++step) {
        error = (erf(x) - y) / (2 / sqrt(M_PI) * exp(-x * x));
        x -= error / (1 + x * error);
    }
    return x;
}
OF_FLOAT(erfinv)

double normcdfinv(double y) { return -M_SQRT2 * erfcinv(2 * y); }
OF_FLOAT(normcdfinv)
