"""Figures of the paper on granulation."""
